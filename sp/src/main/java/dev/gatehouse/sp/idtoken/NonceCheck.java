package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.common.crypto.Digests;
import java.util.Optional;

/**
 * Checks that the token answers our request: a token issued to another client, or for an earlier request, has another
 * nonce (OpenID Connect Core 3.1.3.7, rule 11).
 */
final class NonceCheck implements IdTokenCheck {

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    boolean same = token.claims().text("nonce").filter(sent -> Digests.equal(sent, expected.nonce())).isPresent();
    return OpenIdRefusal.unless(same, Reason.NONCE, "nonce is missing or not ours");
  }
}
