package dev.gatehouse.perf.report;

import dev.gatehouse.perf.harness.Markdown;

/**
 * The verdict whether others used the machine while a row ran.
 *
 * @param cores of the machine
 * @param steal share of its time that the hypervisor gave to others
 * @param others share of its time that processes used which do not belong to the row
 * @param worst the largest share of others in one interval of some seconds
 * @param disturbed whether a reader has to doubt the row
 */
public record Busy(double seconds, int cores, double steal, double others, double worst, boolean disturbed) {

  /** The largest shares at which a row counts as undisturbed. */
  private static final double MOST_STEAL = 0.02;

  private static final double MOST_OTHERS = 0.05;

  public static Busy of(double seconds, int cores, double steal, double others, double worst) {
    return new Busy(seconds, cores, steal, others, worst, steal > MOST_STEAL || others > MOST_OTHERS);
  }

  @Override
  public String toString() {
    return Markdown.format(
        "%s: steal %.1f %%, other processes %.1f %% of %d cores (at most %.0f %%)", disturbed ? "busy" : "calm", 100 * steal,
        100 * others, cores, 100 * worst);
  }
}
