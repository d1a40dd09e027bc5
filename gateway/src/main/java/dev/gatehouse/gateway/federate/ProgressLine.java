package dev.gatehouse.gateway.federate;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Displays progress: a bar that is redrawn on a terminal, or a line every few seconds in a log. Shows the percentage,
 * people per second, and the remaining time.
 */
public final class ProgressLine implements BulkRun.Progress {

  private static final int BAR = 30;
  private static final Duration ON_TERMINAL = Duration.ofMillis(200);
  private static final Duration IN_LOG = Duration.ofSeconds(10);

  private final PrintWriter out;
  private final boolean terminal;
  private final LongSupplier nanos;
  private final long started;
  private long shown;
  private long firstDone = -1;
  private long firstLines;

  /** @param nanos as {@link System#nanoTime} */
  public ProgressLine(PrintWriter out, boolean terminal, LongSupplier nanos) {
    this.out = out;
    this.terminal = terminal;
    this.nanos = nanos;
    this.started = nanos.getAsLong();
    this.shown = started;
  }

  @Override
  public void at(long done, long all, BulkRun.Result soFar) {
    long now = nanos.getAsLong();
    if (firstDone < 0) {
      // Rates refer to this run, which may have resumed an earlier one.
      firstDone = done;
      firstLines = soFar.lines();
    }
    boolean due = now - shown >= (terminal ? ON_TERMINAL : IN_LOG).toNanos();
    if (!due && done < all) {
      return;
    }
    shown = now;
    String line = line(done, all, soFar, (now - started) / 1e9);
    if (terminal) {
      out.print("\r" + line + "\u001b[K" + (done < all ? "" : "\n"));
    } else {
      out.println(line);
    }
    out.flush();
  }

  private String line(long done, long all, BulkRun.Result soFar, double seconds) {
    double part = all == 0 ? 1 : (double) done / all;
    double rate = (soFar.lines() - firstLines) / Math.max(seconds, 0.001);
    double bytes = (done - firstDone) / Math.max(seconds, 0.001);
    String left = bytes > 0 && done < all ? ", " + duration((all - done) / bytes) + " left" : "";
    int filled = (int) Math.round(part * BAR);
    String bar = terminal ? "[" + "#".repeat(filled) + "-".repeat(BAR - filled) + "] " : "";
    return String.format(
        Locale.ROOT,
        "%s%3.0f %%  %,d lines, %,.0f a second, %,d rejected%s",
        bar,
        part * 100,
        soFar.lines(),
        rate,
        soFar.rejected(),
        left);
  }

  private static String duration(double seconds) {
    long whole = Math.round(seconds);
    return whole < 60 ? whole + " s" : whole / 60 + " min " + whole % 60 + " s";
  }
}
