package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.JwtClaims;
import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * All rules for a logout token except its signature and issuer (OpenID Connect Back-Channel Logout 1.0, section 2.6).
 * An ID token does not pass them: it lacks the logout event, and may have a nonce.
 */
final class LogoutTokenRules {

  private static final String EVENT = "http://schemas.openid.net/event/backchannel-logout";
  private static final Set<String> TYPES = Set.of("logout+jwt", "jwt");

  /** The longest accepted age. A longer one would only make us store replay marks for longer. */
  static final Duration LONGEST = Duration.ofMinutes(15);

  private LogoutTokenRules() {}

  /**
   * Returns the first refusal; empty if all rules are satisfied.
   *
   * @param clientId our client ID at the issuer
   */
  static Optional<OpenIdRefusal> refusal(ReceivedJwt token, String clientId, Instant now) {
    Function<ReceivedJwt, Optional<OpenIdRefusal>> type =
        t -> OpenIdRefusal.unless(TYPES.contains(t.type().orElse("jwt")), Reason.TOKEN_TYPE, "typ is that of another kind of token");
    Function<ReceivedJwt, Optional<OpenIdRefusal>> audience =
        t -> OpenIdRefusal.unless(t.claims().audience().contains(clientId), Reason.AUDIENCE, "aud does not name us");
    return Stream.of(type, audience, t -> times(t, now), LogoutTokenRules::event, LogoutTokenRules::subject)
        .map(rule -> rule.apply(token))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<OpenIdRefusal> times(ReceivedJwt token, Instant now) {
    Optional<Instant> issued = token.claims().issuedAt();
    Optional<Instant> end = token.claims().expiresAt();
    Instant latest = now.plus(TokenExpectation.CLOCK_SKEW);
    if (issued.isEmpty() || issued.get().isAfter(latest) || issued.get().plus(LONGEST).isBefore(now)) {
      return OpenIdRefusal.unless(false, Reason.ISSUED_AT, "iat is missing, in the future, or too old");
    }
    // Version 1.0 requires exp; products that implement earlier drafts leave it out.
    boolean over = end.filter(e -> !now.isBefore(e.plus(TokenExpectation.CLOCK_SKEW))).isPresent();
    return OpenIdRefusal.unless(!over, Reason.EXPIRED, "exp is past");
  }

  private static Optional<OpenIdRefusal> event(ReceivedJwt token) {
    boolean isLogout =
        token.claims().all().get("events") instanceof Map<?, ?> events && events.get(EVENT) instanceof Map<?, ?>;
    return OpenIdRefusal.unless(
        isLogout && !token.claims().all().containsKey("nonce"), Reason.EVENTS, "no logout event, or a nonce");
  }

  private static Optional<OpenIdRefusal> subject(ReceivedJwt token) {
    boolean named = token.claims().subject().isPresent() || session(token.claims()).isPresent();
    return OpenIdRefusal.unless(named && token.claims().id().isPresent(), Reason.SUBJECT_OR_SESSION, "neither sub nor sid, or no jti");
  }

  static Optional<String> session(JwtClaims claims) {
    return claims.text("sid").filter(sid -> !sid.isEmpty());
  }
}
