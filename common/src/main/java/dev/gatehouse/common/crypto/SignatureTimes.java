package dev.gatehouse.common.crypto;

import dev.gatehouse.common.metric.Histogram;
import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long the signatures of this process take, and how many are being made: they are most of the processor time of a login, and more of
 * them at once than processors is a node at its limit. The counts are static because the code that signs is.
 */
public final class SignatureTimes {

  /** What is signed. */
  public enum Signed {
    SAML("saml"),
    TOKEN("token");

    private final String label;
    private final Histogram times = new Histogram();

    Signed(String label) {
      this.label = label;
    }
  }

  /** A signature that is made. */
  @FunctionalInterface
  public interface Signing {
    byte[] sign() throws GeneralSecurityException;
  }

  private static final LongAdder RUNNING = new LongAdder();

  private SignatureTimes() {}

  /** Makes a signature and counts its time; one that fails counts, too. */
  public static byte[] timed(Signed what, Signing signing) throws GeneralSecurityException {
    long begun = System.nanoTime();
    RUNNING.increment();
    try {
      return signing.sign();
    } finally {
      RUNNING.decrement();
      what.times.record(System.nanoTime() - begun);
    }
  }

  public static void publish(MetricFamilies metrics) {
    HistogramFamily durations =
        HistogramFamily.builder("gatehouse.signatures.duration")
            .description("Time that signatures took, with the wait for a processor")
            .tag("message")
            .register(metrics);
    for (Signed what : Signed.values()) {
      durations.with(what.times, what.label);
    }
    SampleFamily.builder("gatehouse.signatures.running")
        .description("Signatures that are being made")
        .gauge(() -> Map.of(List.of(), RUNNING.doubleValue()))
        .register(metrics);
  }
}
