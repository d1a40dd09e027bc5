package dev.gatehouse.idp.otp;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** What a guess costs somebody who has the files of an agent's offline days: printed, and at least what the hash of PINs is there for. */
final class OfflineGuessTest {

  private static final int CODES = 1_000_000;
  private static final int HASHES = 5;

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final byte[] salt = new byte[16];

  private double millis(Runnable work) {
    long began = threads.getCurrentThreadCpuTime();
    work.run();
    return (threads.getCurrentThreadCpuTime() - began) / 1e6;
  }

  @Test
  void aGuessAtAPinIsAHashOfTheUsualCostAndAMillionCodes() {
    PinCost.USUAL.hash(salt, "24681357");
    double hash =
        millis(
            () -> {
              for (int i = 0; i < HASHES; i++) {
                PinCost.USUAL.hash(salt, "2468135" + i);
              }
            })
            / HASHES;
    OfflineCodes codes = new OfflineCodes(PinCost.USUAL.hash(salt, "24681357"), "t-1");
    int[] fitting = {0};
    double all =
        millis(
            () -> {
              for (int code = CODES; code < 2 * CODES; code++) {
                fitting[0] += codes.bits(59_000_000, String.valueOf(code).substring(1)) == 4711 ? 1 : 0;
              }
            });
    System.out.printf(Locale.ROOT, "a guess: %.0f ms of CPU for the PIN, %.0f ms for the codes of a moment, of which %d fit%n", hash, all, fitting[0]);
    assertThat(fitting[0]).as("codes that fit, whatever the PIN").isBetween(1, 50);
    assertThat(hash).as("of 19 MiB and two passes, not of the cost that tests use").isGreaterThan(2);
  }
}
