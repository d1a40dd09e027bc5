package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.realm.GatewayConfig.BearerConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.bearer.TokenRefusal;
import dev.gatehouse.gateway.bearer.TokenRefusal.Error;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.policy.TokenRule;
import java.util.List;
import java.util.Optional;

/**
 * Builds WWW-Authenticate values for access tokens (RFC 6750, section 3; RFC 9449, section 7.1; RFC 9470, section 3).
 */
final class TokenChallenge {

  private static final String DPOP = "DPoP algs=\"ES256 EdDSA PS256 RS256\"";

  private TokenChallenge() {}

  /** The challenge for a request without a token; it has no error code, because the client made no error. */
  static String missing(Realm realm, BearerConfig config) {
    String bearer = "Bearer realm=\"" + realm.name() + "\"";
    return config.dpopRequired() ? DPOP : bearer + ", " + DPOP;
  }

  /** The challenge for a refused token; empty if another token would not help. */
  static Optional<String> of(Realm realm, BearerConfig config, boolean bound, TokenRefusal refusal) {
    Error error = refusal.reason().error();
    return error == Error.TEMPORARILY_UNAVAILABLE
        ? Optional.empty()
        : Optional.of(scheme(realm, bound || config.dpopRequired()) + error(error));
  }

  /** The challenge for a valid token that is not sufficient; empty if no other token would help. */
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

  /**
   * The challenge for a token from a login that is too weak.
   *
   * @param acr authentication contexts, any of which suffices
   */
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

  /** Removes quotation marks from configured values, which would end the quoted string. */
  private static String quotable(String text) {
    return text.replaceAll("[\"\\\\]", "");
  }
}
