package dev.gatehouse.common.jose;

import dev.gatehouse.common.key.SealingKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;

/**
 * Nonces for DPoP proofs (RFC 9449, sections 8 and 9): proofs cannot be made ahead of time by who holds a key for a moment. A
 * nonce is the minute and a keyed digest of it: nothing is stored for it, and all nodes with the realm's sealing key know each
 * other's. It counts for five minutes.
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

  /** The one to give out now. */
  public String current(String realm) {
    return nonce(realm, step());
  }

  /** Whether we gave it out for that realm lately. */
  boolean counts(String realm, String nonce) {
    byte[] shown = nonce.getBytes(StandardCharsets.UTF_8);
    long now = step();
    boolean counts = false;
    // One step ahead: another node's clock may be.
    for (long step = now + 1; step > now - STEPS; step--) {
      counts |= MessageDigest.isEqual(nonce(realm, step).getBytes(StandardCharsets.US_ASCII), shown);
    }
    return counts;
  }

  private long step() {
    return clock.instant().getEpochSecond() / STEP.toSeconds();
  }

  private String nonce(String realm, long step) {
    return sealing.digest(Long.toString(step), CONTEXT, realm).substring(0, DIGITS);
  }
}
