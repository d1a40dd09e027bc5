package dev.gatehouse.sp.idtoken;

import dev.gatehouse.sp.edge.ProviderTrust;
import dev.gatehouse.sp.idtoken.OpenIdRefusal.Reason;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.common.stringprep.StringPreparation;
import java.util.List;
import java.util.Optional;

/**
 * The user name of a person in a token, of which there must be at most one. Control characters are refused because they
 * would make a name look like another one in headers and logs. If the realm's user claim is present but is not a valid
 * name, the token is refused; {@code sub} does not replace it.
 */
public final class UserName {

  private UserName() {}

  /** Returns the reason why the claims contain no valid name; empty if they do, or if the claim is missing. */
  public static Optional<OpenIdRefusal> refusal(ClaimValues claims, String userClaim) {
    List<String> names = claims.values(userClaim);
    boolean plain = names.stream().allMatch(UserName::isPlain);
    return OpenIdRefusal.unless(names.size() <= 1 && plain, Reason.USER_NAME, "no single plain " + userClaim);
  }

  /**
   * The user name: the claim, otherwise {@code sub}. Names of different providers never mean the same person: if the
   * name does not count, the user name consists of the issuer and {@code sub}.
   */
  public static String of(ClaimValues claims, String userClaim, String issuer, String subject, ProviderTrust trust) {
    List<String> names = claims.values(userClaim);
    String name = names.isEmpty() ? subject : names.getFirst();
    return trust.grants(names.isEmpty() ? "sub" : userClaim, name) ? name : AppSession.personId(issuer, subject).value();
  }

  /** Other characters would make the name look like another one in headers, logs and apps. */
  private static boolean isPlain(String name) {
    return !name.isBlank() && name.chars().noneMatch(Character::isISOControl) && StringPreparation.keeps(name);
  }
}
