package dev.gatehouse.idp.oauth.authorize;

import dev.gatehouse.common.realm.ClientConfig.Binding;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.client.Client;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Rules about the demands and the contents of an authorization request. Each rule returns an error or nothing. */
final class RequestRules {

  private static final Pattern SHA256 = Pattern.compile("[A-Za-z0-9_-]{43}");

  private RequestRules() {}

  /** Checked again when the request is answered, because a client's registration may change meanwhile. */
  static Optional<OAuthError> mayUse(Client client, Set<ResponseType> types) {
    if (!client.may(ResponseType.grant(types))) {
      return error(Code.UNAUTHORIZED_CLIENT, "this response_type is not turned on for the client");
    }
    if (types.contains(ResponseType.TOKEN) && client.config().tokens().binding() != Binding.AS_USED) {
      return error(Code.UNAUTHORIZED_CLIENT, "a token from here cannot be bound to a key of the client");
    }
    return Optional.empty();
  }

  /**
   * An ID token needs the scope openid and a nonce, so that it belongs to one request (OpenID Connect Core 3.2.2.1,
   * 3.3.2.11).
   */
  static Optional<OAuthError> scopes(
      RequestParameters parameters, Set<ResponseType> types, Set<String> scopes) {
    if (scopes.isEmpty()) {
      return error(Code.INVALID_SCOPE, "scope names nothing that the client may have");
    }
    if (!types.contains(ResponseType.ID_TOKEN)) {
      return Optional.empty();
    }
    if (!scopes.contains(Scopes.OPENID)) {
      return error(Code.INVALID_SCOPE, "an ID token needs the scope openid");
    }
    return parameters.one("nonce").isEmpty()
        ? error(Code.INVALID_REQUEST, "nonce is missing")
        : Optional.empty();
  }

  /** RFC 7636, section 4.3; RFC 9700, section 2.1.1. */
  static Optional<OAuthError> pkce(Client client, RequestParameters parameters, Set<ResponseType> types) {
    Optional<String> challenge = parameters.one("code_challenge");
    Optional<String> method = parameters.one("code_challenge_method");
    if (!types.contains(ResponseType.CODE)) {
      return Optional.empty();
    }
    if (challenge.isEmpty()) {
      boolean required = client.config().isPublic() || client.config().requests().pkce() || method.isPresent();
      return required ? error(Code.INVALID_REQUEST, "code_challenge is missing") : Optional.empty();
    }
    if (method.filter("S256"::equals).isEmpty()) {
      return error(Code.INVALID_REQUEST, "code_challenge_method must be S256");
    }
    return SHA256.matcher(challenge.get()).matches()
        ? Optional.empty()
        : error(Code.INVALID_REQUEST, "code_challenge is not an S256 one");
  }

  /** RFC 8707, section 2. */
  static Optional<OAuthError> resources(RealmRequest request, Client client, RequestParameters parameters) {
    return parameters.resources().stream().allMatch(resource -> client.mayHaveTokensFor(request, resource))
        ? Optional.empty()
        : error(Code.INVALID_TARGET, "resource is not one of the client's");
  }

  /** RFC 9449, section 10. */
  static Optional<OAuthError> binding(RequestParameters parameters) {
    return parameters.one("dpop_jkt").filter(jkt -> !SHA256.matcher(jkt).matches()).isPresent()
        ? error(Code.INVALID_REQUEST, "dpop_jkt is not a thumbprint")
        : Optional.empty();
  }

  private static Optional<OAuthError> error(Code code, String description) {
    return Optional.of(OAuthError.of(code, description));
  }
}
