package dev.gatehouse.idp.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a node answers that has more hashes to compute than it can. */
final class HashPermitsTest {

  private static final byte[] HASH = {1};

  private final HashPermits permits = new HashPermits(1, Duration.ZERO);

  @Test
  void whoseTurnDoesNotComeInTimeIsToldThatTheNodeIsBusy() {
    byte[] hash =
        permits.when(
            () -> {
              assertThatExceptionOfType(PasscodeStoreUnavailable.class)
                  .isThrownBy(() -> permits.when(() -> HASH))
                  .matches(PasscodeStoreUnavailable::isBusy)
                  .withMessageContaining("more PINs are being checked");
              return HASH;
            });
    assertThat(hash).isEqualTo(HASH);
  }

  @Test
  void aTurnEndsWithItsComputationEvenIfThatFails() {
    assertThatThrownBy(() -> permits.when(() -> { throw new IllegalStateException("failed"); })).hasMessage("failed");
    assertThat(permits.when(() -> HASH)).isEqualTo(HASH);
  }
}
