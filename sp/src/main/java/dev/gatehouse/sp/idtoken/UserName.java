package dev.gatehouse.sp.idtoken;

import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.common.stringprep.StringPreparation;
import java.util.List;
import java.util.Optional;

/**
 * A person has one name and no more. Control characters would let it pose as another one in headers and logs; a claim of the
 * realm's choice that is there and cannot be a name is none, and {@code sub} does not stand in for it.
 */
public final class UserName {

  private UserName() {}

  /** Why these claims name nobody; empty where they do, or where there is no such claim. */
  public static Optional<OpenIdRefusal> refusal(ClaimValues claims, String userClaim) {
    List<String> names = claims.values(userClaim);
    boolean plain = names.stream().allMatch(UserName::isPlain);
    return Refuse.unless(names.size() <= 1 && plain, Reason.USER_NAME, "no single plain " + userClaim);
  }

  /**
   * The user's name: the claim, else {@code sub}. Names of different providers never mean the same person: where the provider's
   * are not taken as they are, it is the issuer and {@code sub}.
   */
  public static String of(ClaimValues claims, String userClaim, String issuer, String subject, ProviderTrust trust) {
    List<String> names = claims.values(userClaim);
    if (!trust.names(names.isEmpty() ? "sub" : userClaim)) {
      return AppSession.personId(issuer, subject).value();
    }
    return names.isEmpty() ? subject : names.getFirst();
  }

  /** Others would pose as another name in headers, logs and apps. */
  private static boolean isPlain(String name) {
    return !name.isBlank() && name.chars().noneMatch(Character::isISOControl) && StringPreparation.keeps(name);
  }
}
