package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.util.Optional;

/**
 * It was issued to us: where others are in {@code aud} we trust it only if {@code azp} says so, and an {@code azp} is never
 * somebody else (OpenID Connect Core 3.1.3.7, rules 3 to 5).
 */
final class AuthorizedPartyCheck implements IdTokenCheck {

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    boolean forOthersToo = token.claims().audience().stream().anyMatch(name -> !name.equals(expected.clientId()));
    boolean hasParty = token.claims().all().containsKey("azp");
    boolean isOurs = token.claims().text("azp").filter(expected.clientId()::equals).isPresent();
    return Refuse.unless(
        isOurs || !hasParty && !forOthersToo, Reason.AUTHORIZED_PARTY, "azp is not us, or missing among several audiences");
  }
}
