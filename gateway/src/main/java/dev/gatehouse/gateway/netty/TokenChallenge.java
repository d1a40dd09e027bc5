package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.bearer.TokenRefusal;
import dev.gatehouse.gateway.bearer.TokenRefusal.Error;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.policy.TokenRule;
import java.util.List;
import java.util.Optional;

/** What a client is told in WWW-Authenticate (RFC 6750, section 3; RFC 9449, section 7.1; RFC 9470, section 3). */
final class TokenChallenge {

  private static final String DPOP = "DPoP algs=\"ES256 EdDSA PS256 RS256\"";

  private TokenChallenge() {}

  /** Without a token: no error, since none was made. */
  static String missing(Realm realm, BearerConfig config) {
    String bearer = "Bearer realm=\"" + realm.name() + "\"";
    return config.dpopRequired() ? DPOP : bearer + ", " + DPOP;
  }

  /** The token does not count; empty where another one would not help. */
  static Optional<String> of(Realm realm, BearerConfig config, boolean bound, TokenRefusal refusal) {
    Error error = refusal.reason().error();
    return error == Error.TEMPORARILY_UNAVAILABLE
        ? Optional.empty()
        : Optional.of(scheme(realm, bound || config.dpopRequired()) + error(error));
  }

  /** The token counts and is not enough; empty where no other token would help. */
  static Optional<String> of(Realm realm, TokenRule rule, boolean bound, Reason reason) {
    String scheme = scheme(realm, bound || rule.config().dpopRequired());
    return switch (reason) {
      case SCOPE_MISSING ->
          Optional.of(
              scheme + error(Error.INSUFFICIENT_SCOPE) + ", scope=\"" + quotable(String.join(" ", rule.config().scopes())) + '"');
      case TOKEN_MISSING -> Optional.of(missing(realm, rule.config()));
      case AUTHENTICATION_TOO_WEAK, POLICY_DENIED, NO_RULE_PERMITS, EXPRESSION_FAILED, METHOD_NOT_ALLOWED,
          HOST_UNKNOWN, ROUTE_NOT_FOUND, PATH_AMBIGUOUS, ROLE_MISSING, IDENTITY_NOT_SENDABLE -> Optional.empty();
      case WEBSOCKET_ORIGIN, WEBSOCKET_HANDSHAKE, WEBSOCKET_VERSION -> Optional.empty();
    };
  }

  /** The token comes of a login that is too weak. @param acr one of which would do */
  static String tooWeak(Realm realm, TokenRule rule, boolean bound, List<String> acr) {
    return scheme(realm, bound || rule.config().dpopRequired())
        + error(Error.INSUFFICIENT_USER_AUTHENTICATION)
        + ", acr_values=\"" + quotable(String.join(" ", acr)) + '"';
  }

  private static String scheme(Realm realm, boolean bound) {
    return bound ? DPOP : "Bearer realm=\"" + realm.name() + "\"";
  }

  private static String error(Error error) {
    return ", error=\"" + error.value() + "\"";
  }

  /** Configured words; quotation marks would end them. */
  private static String quotable(String text) {
    return text.replaceAll("[\"\\\\]", "");
  }
}
