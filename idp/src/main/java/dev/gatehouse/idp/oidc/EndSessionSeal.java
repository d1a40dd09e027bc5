package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.sealed.SealedState;
import dev.gatehouse.common.sealed.UnsealResult;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Seals logout requests of clients for our addresses and form fields. */
final class EndSessionSeal {

  private static final Duration LIFE = Duration.ofMinutes(10);
  private static final int VERSION = 1;
  private static final String ID = "ask";

  private final SealedState sealed;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final JsonCodec<EndSessionRequest> codec = new JsonCodec<>(EndSessionRequest.class);

  EndSessionSeal(SealingKey sealing, InstantSource clock, RandomGenerator random) {
    this.sealed = new SealedState(sealing, "idp rp-initiated logout", VERSION, clock, random);
    this.clock = clock;
    this.random = random;
  }

  /**
   * Seals the request for one of our addresses or form fields. A POST comes without cookies, so the seal is bound not
   * to a browser but to a secret beside it. Each seal has its own key, however many are requested.
   */
  String seal(EndSessionRequest asked) {
    SessionToken secret = SessionToken.create(random);
    Instant end = clock.instant().plus(LIFE);
    return secret.value() + "." + sealed.seal(asked.realm(), secret, ID, codec.encode(asked), end);
  }

  /** Opens a sealed request; empty if we did not seal it for this realm within the last ten minutes. */
  Optional<EndSessionRequest> open(String realm, String text) {
    int dot = Math.max(0, text.indexOf('.'));
    return SessionToken.parse(text.substring(0, dot))
        .map(secret -> sealed.open(realm, secret, ID, text.substring(dot + 1)))
        .flatMap(unsealed -> unsealed instanceof UnsealResult.Opened(byte[] payload, Instant end) ? read(payload) : Optional.empty());
  }

  private Optional<EndSessionRequest> read(byte[] payload) {
    try {
      return Optional.of(codec.decode(payload));
    } catch (IllegalArgumentException e) {
      // We sealed it in a format that this version does not read: the person begins again.
      return Optional.empty();
    }
  }
}
