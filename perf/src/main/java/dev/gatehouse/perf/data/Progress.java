package dev.gatehouse.perf.data;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.IntConsumer;

/** Displays progress: a line that is overwritten on a terminal, or one line for each tenth otherwise. */
public final class Progress implements IntConsumer {

  private final String what;
  private final int total;
  private final PrintStream out;
  private final boolean terminal;
  private int lastTenth = -1;

  public Progress(String what, int total, PrintStream out) {
    this.what = what;
    this.total = total;
    this.out = out;
    this.terminal = System.console() != null && System.console().isTerminal();
  }

  @Override
  public void accept(int done) {
    String line = String.format(Locale.ROOT, "%s: %,d of %,d (%d %%)", what, done, total, 100L * done / total);
    if (terminal) {
      out.print("\r" + line + (done == total ? "\n" : ""));
      out.flush();
      return;
    }
    int tenth = (int) (10L * done / total);
    if (tenth > lastTenth) {
      lastTenth = tenth;
      out.println(line);
    }
  }
}
