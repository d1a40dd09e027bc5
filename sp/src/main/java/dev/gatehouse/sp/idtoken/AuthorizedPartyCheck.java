package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.util.Optional;

/**
 * Checks that the token was issued to us. If {@code aud} has other members, {@code azp} must name us; {@code azp} must
 * never name another client (OpenID Connect Core 3.1.3.7, rules 3 to 5).
 */
final class AuthorizedPartyCheck implements IdTokenCheck {

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    boolean forOthersToo = token.claims().audience().stream().anyMatch(name -> !name.equals(expected.clientId()));
    boolean hasParty = token.claims().all().containsKey("azp");
    boolean isOurs = token.claims().text("azp").filter(expected.clientId()::equals).isPresent();
    return OpenIdRefusal.unless(
        isOurs || !hasParty && !forOthersToo, Reason.AUTHORIZED_PARTY, "azp is not us, or missing among several audiences");
  }
}
