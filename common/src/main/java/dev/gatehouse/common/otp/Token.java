package dev.gatehouse.common.otp;

import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.Optional;

/**
 * A token that makes one-time passwords.
 *
 * @param serial its number, unique in the realm; at most 64 characters
 * @param sealedSeed the shared secret, sealed for realm and serial number
 * @param person to whom it is assigned
 * @param lastUsed the counter or time step of the last code that counted; -1 if none did
 * @param drift time steps by which its clock is ahead, as far as its codes have told
 * @param expiresAt after which its codes do not count; never if absent
 * @param usedAt when a code of it counted last
 * @param replaces the token that its person gives back once a code of this one has counted
 */
public record Token(
    String serial,
    TokenType type,
    byte[] sealedSeed,
    State state,
    Optional<PersonId> person,
    long lastUsed,
    int drift,
    Optional<Instant> expiresAt,
    Optional<Instant> usedAt,
    Optional<String> replaces) {

  /** The issuer, in the sense of the replay cache, of marks of codes that were used. */
  public static final String MARKS = "otp-token";

  /** Whether its codes count. */
  public enum State {
    ENABLED,
    DISABLED,
    /** The person reported it lost; whoever finds it must not use it. */
    LOST
  }

  /** A token that is new and belongs to nobody. */
  public static Token created(String serial, TokenType type, byte[] sealedSeed, long lastUsed, Optional<Instant> expiresAt) {
    return new Token(serial, type, sealedSeed, State.ENABLED, Optional.empty(), lastUsed, 0, expiresAt, Optional.empty(), Optional.empty());
  }

  /** Returns whether it is past its end. */
  public boolean isExpired(Instant now) {
    return expiresAt.filter(end -> !now.isBefore(end)).isPresent();
  }

  /** Returns whether its codes count now. */
  public boolean isUsable(Instant now) {
    return state == State.ENABLED && !isExpired(now);
  }

  @Override
  public String toString() {
    return "Token[" + serial + ", " + state + "]";
  }
}
