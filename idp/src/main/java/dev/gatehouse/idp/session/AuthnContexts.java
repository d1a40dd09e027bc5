package dev.gatehouse.idp.session;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.saml.message.SamlMessage.RequestedAuthnContext;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Determines the levels that logins achieve, and compares requests for AuthnContexts with them (SAML Core 3.3.2.2.1). A
 * request by AuthnContextDeclRef names no class and is never satisfied.
 */
public final class AuthnContexts {

  private static final String PREFIX = "urn:oasis:names:tc:SAML:2.0:ac:classes:";

  public static final String UNSPECIFIED = PREFIX + "unspecified";
  public static final String PASSWORD = PREFIX + "Password";
  public static final String PASSWORD_PROTECTED_TRANSPORT = PREFIX + "PasswordProtectedTransport";
  public static final String TLS_CLIENT = PREFIX + "TLSClient";
  public static final String X509 = PREFIX + "X509";
  public static final String TIME_SYNC_TOKEN = PREFIX + "TimeSyncToken";
  /** Our own: SAML has no class for PIN and code of a token that others do not reach. */
  public static final String TOKEN = "https://gatehouse.dev/ac/token";
  public static final String REFEDS_MFA = "https://refeds.org/profile/mfa";

  /** OpenID PAPE 1.0, section 4; its short name is that of OpenID Connect EAP ACR Values 1.0, section 3. */
  public static final String PHISHING_RESISTANT = "http://schemas.openid.net/pape/policies/2007/06/phishing-resistant";

  /** Short names of classes for OpenID clients (OpenID Connect Core 2: parties agree on {@code acr} values). */
  public static final Map<String, List<String>> SHORT_NAMES =
      Map.of(
          "password", List.of(PASSWORD_PROTECTED_TRANSPORT, PASSWORD),
          "certificate", List.of(TLS_CLIENT),
          "token", List.of(TOKEN),
          "mfa", List.of(REFEDS_MFA),
          "phr", List.of(PHISHING_RESISTANT));

  private AuthnContexts() {}

  /**
   * The level that a contract achieves at this origin. Loopback names count as protected, like https, because nothing
   * leaves the machine (W3C Secure Contexts 3.1 trusts them for the same reason).
   */
  public static AuthnLevel level(LoginContract contract, Origin origin) {
    boolean isProtected = origin.isSecure() || Loopback.isName(origin.host());
    return isProtected && contract.least() == AuthnLevel.PASSWORD ? AuthnLevel.PROTECTED_PASSWORD : contract.least();
  }

  /** The levels that these events achieve together: a second step counts only together with a first one. */
  public static Set<AuthnLevel> earned(List<AuthnEvent> events) {
    EnumSet<AuthnLevel> levels = EnumSet.noneOf(AuthnLevel.class);
    EnumSet<AuthnLevel> seconds = EnumSet.noneOf(AuthnLevel.class);
    for (AuthnEvent event : events) {
      (event.contract().isSecondStep() ? seconds : levels).add(event.level());
    }
    if (!levels.isEmpty()) {
      levels.addAll(seconds);
    }
    if (levels.contains(AuthnLevel.TOKEN)) {
      levels.add(AuthnLevel.SECOND_FACTOR);
    }
    return levels;
  }

  /** The class to assert if the request names none; empty if no level was achieved. */
  static Optional<String> strongest(Set<AuthnLevel> earned) {
    return earned.stream().max(Comparator.naturalOrder()).map(level -> level.classRefs().getFirst());
  }

  /** The class to assert for this request; empty if the achieved levels do not satisfy it. */
  static Optional<String> answer(Set<AuthnLevel> earned, RequestedAuthnContext requested) {
    List<String> refs = requested.classRefs();
    List<AuthnLevel> asked = refs.stream().flatMap(ref -> AuthnLevel.of(ref).stream()).toList();
    if (earned.isEmpty() || asked.isEmpty()) {
      return Optional.empty();
    }
    return switch (requested.comparison()) {
      // The order is the partner's preference. A person who passed any contract was also authenticated by unspecified
      // means.
      case "exact" ->
          refs.stream()
              .filter(ref -> ref.equals(UNSPECIFIED) || earned.stream().anyMatch(level -> level.classRefs().contains(ref)))
              .findFirst();
      case "minimum" -> {
        AuthnLevel least = asked.stream().min(Comparator.naturalOrder()).orElseThrow();
        yield best(earned, level -> level.reaches(least), refs);
      }
      case "maximum" -> {
        AuthnLevel most = asked.stream().max(Comparator.naturalOrder()).orElseThrow();
        yield best(earned, most::reaches, refs);
      }
      // Must be stronger than every requested class; impossible if we cannot rank one of them.
      case "better" ->
          asked.size() < refs.size()
              ? Optional.empty()
              // Under a name of its own: a requested one is what the answer must exceed.
              : best(earned, level -> asked.stream().allMatch(other -> level.compareTo(other) > 0), List.of());
      default -> Optional.empty();
    };
  }

  /** The strongest level that fits; under a requested name if it has one. */
  private static Optional<String> best(
      Set<AuthnLevel> earned, Predicate<AuthnLevel> fits, List<String> asked) {
    return earned.stream()
        .filter(fits)
        .max(Comparator.naturalOrder())
        .map(
            level ->
                asked.stream().filter(level.classRefs()::contains).findFirst().orElse(level.classRefs().getFirst()));
  }
}
