package dev.gatehouse.idp.otp;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** The turns of hashing around a check of tests, which stands for the hash: one at a time, and so many of one place that wait. */
public final class CrowdedPlaces implements UnaryOperator<PasscodeCheck> {

  /** How many of one place wait or have their turn. */
  public static final int MOST = HashPermits.MOST_FROM_ONE;

  private static final byte[] HASH = {};
  private static final String REALM = "demo";

  private final HashPermits permits = new HashPermits(1, Duration.ofSeconds(30));

  /** Returns how many wait that are of the same place as the attempt. */
  public int waiting(PasscodeAttempt attempt) {
    return permits.waiting(attempt.source(REALM));
  }

  @Override
  public PasscodeCheck apply(PasscodeCheck check) {
    return new PasscodeCheck() {
      @Override
      public PasscodeResult check(PasscodeAttempt attempt) {
        AtomicReference<PasscodeResult> result = new AtomicReference<>();
        permits.when(
            attempt.source(REALM),
            () -> {
              result.set(check.check(attempt));
              return HASH;
            });
        return Objects.requireNonNull(result.get());
      }

      @Override
      public PasscodeResult answer(String reference, PasscodeAttempt attempt) {
        return check.answer(reference, attempt);
      }
    };
  }
}
