package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import java.util.Optional;

/** Checks that the token has a subject of at most 255 visible ASCII characters (OpenID Connect Core 2). */
final class SubjectCheck implements IdTokenCheck {

  @Override
  public Optional<OpenIdRefusal> check(ReceivedJwt token, TokenExpectation expected) {
    boolean usable =
        token
            .claims()
            .subject()
            .filter(sub -> !sub.isEmpty() && sub.length() <= 255 && sub.chars().allMatch(c -> c > 0x1f && c < 0x7f))
            .isPresent();
    return OpenIdRefusal.unless(usable, Reason.SUBJECT, "sub is missing or cannot be a subject identifier");
  }
}
