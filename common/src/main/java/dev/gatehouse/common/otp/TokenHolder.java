package dev.gatehouse.common.otp;

import java.time.Instant;
import java.util.Optional;

/**
 * What counts for a person with tokens, whichever of them it is.
 *
 * @param sealedPins hashes of the PINs, the present one first, sealed for realm and person; empty if the person has none
 * @param newPin whether the present PIN only serves to choose another
 * @param wrong passcodes since the last right one
 * @param lockedUntil the end of the lock, if it ends by itself
 */
public record TokenHolder(Optional<byte[]> sealedPins, boolean newPin, int wrong, Optional<Instant> lockedUntil) {

  /** Somebody about whom nothing is stored. */
  public static final TokenHolder NEW = new TokenHolder(Optional.empty(), false, 0, Optional.empty());

  @Override
  public String toString() {
    return "TokenHolder[wrong=" + wrong + "]";
  }
}
