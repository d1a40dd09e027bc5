package dev.gatehouse.common.jose;

import dev.gatehouse.common.key.SealingKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Nonces for DPoP proofs (RFC 9449, sections 8 and 9): with them nobody who has a key for a moment can create proofs for later. A
 * nonce is a keyed digest of the minute. Nothing is stored for it, and all nodes with the realm's sealing key accept each other's
 * nonces. It is valid for five minutes.
 */
public final class DpopNonces {

  private static final String CONTEXT = "dpop-nonce";
  private static final Duration STEP = Duration.ofMinutes(1);
  private static final int STEPS = 5;
  private static final int DIGITS = 32;

  private final SealingKey sealing;
  private final InstantSource clock;

  public DpopNonces(SealingKey sealing, InstantSource clock) {
    this.sealing = sealing;
    this.clock = clock;
  }

  /** Returns the nonce to issue now. */
  public String current(String realm) {
    return nonce(realm, step());
  }

  /** Returns whether we issued the nonce for that realm recently. */
  boolean isValid(String realm, String nonce) {
    byte[] shown = nonce.getBytes(StandardCharsets.UTF_8);
    long now = step();
    boolean isValid = false;
    // One step ahead is checked too, because another node's clock may be ahead.
    for (long step = now + 1; step > now - STEPS; step--) {
      isValid |= MessageDigest.isEqual(nonce(realm, step).getBytes(StandardCharsets.US_ASCII), shown);
    }
    return isValid;
  }

  private long step() {
    return clock.instant().getEpochSecond() / STEP.toSeconds();
  }

  private String nonce(String realm, long step) {
    return sealing.digest(Long.toString(step), CONTEXT, realm).substring(0, DIGITS);
  }
}
