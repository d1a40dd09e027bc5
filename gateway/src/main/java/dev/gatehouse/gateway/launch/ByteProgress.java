package dev.gatehouse.gateway.launch;

import dev.gatehouse.common.audit.AuditVerification;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;

/** Says how many bytes a command has read: a line that is rewritten on a terminal, or a line every few seconds in a log. */
final class ByteProgress implements AuditVerification.Progress {

  private static final Duration ON_TERMINAL = Duration.ofMillis(300);
  private static final Duration IN_LOG = Duration.ofSeconds(10);

  private final PrintWriter out;
  private final boolean terminal = System.console() != null && System.console().isTerminal();
  private final long started = System.nanoTime();
  private long shown = started;

  ByteProgress(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void at(long bytes, long all) {
    long now = System.nanoTime();
    if (now - shown < (terminal ? ON_TERMINAL : IN_LOG).toNanos()) {
      return;
    }
    shown = now;
    double part = all == 0 ? 1 : (double) bytes / all;
    double seconds = (now - started) / 1e9;
    String line =
        String.format(
            Locale.ROOT, "%,d of %,d MB (%.0f %%), about %.0f s left", bytes >> 20, all >> 20, 100 * part,
            seconds / Math.max(part, 0.001) - seconds);
    if (terminal) {
      out.print("\r" + line + "\u001b[K" + (bytes < all ? "" : "\n"));
    } else {
      out.println(line);
    }
    out.flush();
  }
}
