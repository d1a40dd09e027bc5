package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.saml.SamlMessage.RequestedAuthnContext;
import java.util.List;

/**
 * AuthnContext classes that a password login earns, and how requests for them compare (SAML Core 3.3.2.2.1, SAML
 * Authentication Context 3.4). Those listed are ordered from weak to strong; any other class is never satisfied.
 */
public final class AuthnContexts {

  private static final String PREFIX = "urn:oasis:names:tc:SAML:2.0:ac:classes:";

  public static final String UNSPECIFIED = PREFIX + "unspecified";
  public static final String PASSWORD = PREFIX + "Password";
  public static final String PASSWORD_PROTECTED_TRANSPORT = PREFIX + "PasswordProtectedTransport";

  private static final List<String> WEAK_TO_STRONG = List.of(UNSPECIFIED, PASSWORD, PASSWORD_PROTECTED_TRANSPORT);

  private AuthnContexts() {}

  /**
   * What a password login at this origin earns. Loopback names count as protected like https: nothing leaves the machine
   * (W3C Secure Contexts 3.1 trusts them for the same reason).
   */
  public static String ofPassword(Origin origin) {
    return origin.isSecure() || Loopback.isName(origin.host()) ? PASSWORD_PROTECTED_TRANSPORT : PASSWORD;
  }

  /** Whether a login of that class answers the request. */
  public static boolean satisfies(String classRef, RequestedAuthnContext requested) {
    int rank = WEAK_TO_STRONG.indexOf(classRef);
    List<Integer> asked =
        requested.classRefs().stream().map(WEAK_TO_STRONG::indexOf).filter(known -> known >= 0).toList();
    return switch (requested.comparison()) {
      case "exact" -> requested.classRefs().contains(classRef);
      case "minimum" -> asked.stream().anyMatch(wanted -> rank >= wanted);
      case "maximum" -> asked.stream().anyMatch(wanted -> rank <= wanted);
      // Stronger than every one of them, also than those that we cannot rank: then never.
      case "better" ->
          asked.size() == requested.classRefs().size() && asked.stream().allMatch(wanted -> rank > wanted);
      default -> false;
    };
  }
}
