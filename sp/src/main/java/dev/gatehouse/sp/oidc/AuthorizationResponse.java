package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Parameters;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.sp.idtoken.OpenIdRefusal;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.provider.ProviderState;
import java.util.Optional;

/**
 * The parameters that a browser brings back from a provider (RFC 6749, section 4.1.2; RFC 9207, section 2), each at
 * most once.
 *
 * @param path of the redirect URI to which it came
 * @param issuer the parameter {@code iss}
 */
record AuthorizationResponse(
    String path, Optional<String> state, Optional<String> issuer, Optional<String> code, Optional<String> error) {

  private static final int MAX_CHARACTERS = 4096;

  /**
   * Reads the path and the query.
   *
   * @throws Parameters.Malformed if a parameter is repeated
   */
  static AuthorizationResponse of(EdgeRequest request) {
    Parameters query = request.queryParameters();
    return new AuthorizationResponse(
        request.path(), one(query, "state"), one(query, "iss"), one(query, "code"), one(query, "error"));
  }

  /** Treats a value longer than any legitimate one as missing. */
  private static Optional<String> one(Parameters query, String name) {
    return query.one(name).filter(value -> !value.isEmpty() && value.length() <= MAX_CHARACTERS);
  }

  /**
   * Checks that the response came to the redirect URI that the request had. Another provider may have sent the browser on to one that
   * knows us by another redirect URI, and the code is then not for it (RFC 9700, section 4.4.2.2).
   */
  Optional<OpenIdRefusal> otherRedirectUri(ProviderConfig sentTo) {
    return path.equals(SpConfig.openIdCallbackPath(sentTo.alias()))
        ? Optional.empty()
        : Optional.of(new OpenIdRefusal(Reason.REDIRECT_URI, "it came to the redirect URI of another provider"));
  }

  /**
   * Checks that a response with {@code iss} names the provider to which the request was sent. The parameter is
   * mandatory if the provider's metadata announces it (RFC 9207, section 2.4).
   */
  Optional<OpenIdRefusal> otherIssuer(ProviderState state, String sentTo) {
    boolean owed = state instanceof ProviderState.Usable known && known.metadata().namesItself();
    boolean right = issuer.map(sentTo::equals).orElse(!owed);
    return right
        ? Optional.empty()
        : Optional.of(new OpenIdRefusal(Reason.RESPONSE_ISSUER, "iss is missing or names another provider"));
  }

  @Override
  public String toString() {
    return "authorization response" + error.map(e -> " with an error").orElse("");
  }
}
