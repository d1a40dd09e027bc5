package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.http.Headers;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The challenge of our resources to a request whose token is not acceptable (RFC 6750, section 3; RFC 9449, section
 * 7.1).
 */
final class BearerChallenge {

  private static final String NAME = "WWW-Authenticate";
  private static final String DPOP_ALGORITHMS = "algs=\"ES256 RS256 PS256 EdDSA\"";

  private BearerChallenge() {}

  /** The challenge to a request without a token. */
  static Headers bare(RealmRequest request) {
    String realm = "realm=\"" + request.realm().name() + "\"";
    return Headers.of(NAME, "Bearer " + realm).and(NAME, "DPoP " + realm + ", " + DPOP_ALGORITHMS);
  }

  /** Puts the challenge into the headers, in place of any other. */
  static Headers of(RealmRequest request, Headers headers, OAuthError error) {
    List<Headers.Field> fields = new ArrayList<>(headers.fields());
    fields.removeIf(field -> field.name().toLowerCase(Locale.ROOT).equals("www-authenticate"));
    boolean byProof = isOfProof(error) || cameAsDpop(request);
    String said = "realm=\"" + request.realm().name() + "\", error=\"" + error.code().value() + "\"";
    String needed = error.code() == OAuthError.Code.INSUFFICIENT_SCOPE ? ", scope=\"openid\"" : "";
    fields.add(new Headers.Field(NAME, (byProof ? "DPoP " : "Bearer ") + said + needed + (byProof ? ", " + DPOP_ALGORITHMS : "")));
    return Headers.of(fields);
  }

  private static boolean cameAsDpop(RealmRequest request) {
    return request.http().headers().first("Authorization").filter(field -> field.regionMatches(true, 0, "DPoP ", 0, 5)).isPresent();
  }

  /** RFC 9449, section 7.1: at a resource, an invalid proof has the same status as an invalid token. */
  static int status(OAuthError error) {
    return isOfProof(error) ? 401 : error.code().status();
  }

  private static boolean isOfProof(OAuthError error) {
    return error.code() == OAuthError.Code.INVALID_DPOP_PROOF || error.code() == OAuthError.Code.USE_DPOP_NONCE;
  }
}
