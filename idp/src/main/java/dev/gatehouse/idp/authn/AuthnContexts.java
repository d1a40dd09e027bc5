package dev.gatehouse.idp.authn;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.saml.SamlMessage.RequestedAuthnContext;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What logins earn, and how requests for AuthnContexts compare with that (SAML Core 3.3.2.2.1). A request by
 * AuthnContextDeclRef names no class and is never satisfied.
 */
public final class AuthnContexts {

  private static final String PREFIX = "urn:oasis:names:tc:SAML:2.0:ac:classes:";

  public static final String UNSPECIFIED = PREFIX + "unspecified";
  public static final String PASSWORD = PREFIX + "Password";
  public static final String PASSWORD_PROTECTED_TRANSPORT = PREFIX + "PasswordProtectedTransport";
  public static final String TLS_CLIENT = PREFIX + "TLSClient";
  public static final String X509 = PREFIX + "X509";
  public static final String TIME_SYNC_TOKEN = PREFIX + "TimeSyncToken";
  public static final String REFEDS_MFA = "https://refeds.org/profile/mfa";

  /** By which OpenID clients may call classes as well (OpenID Connect Core 2: {@code acr} values are agreed upon). */
  public static final Map<String, List<String>> SHORT_NAMES =
      Map.of(
          "password", List.of(PASSWORD_PROTECTED_TRANSPORT, PASSWORD),
          "certificate", List.of(TLS_CLIENT),
          "mfa", List.of(REFEDS_MFA));

  private AuthnContexts() {}

  /**
   * What a contract earns at this origin. Loopback names count as protected like https: nothing leaves the machine (W3C
   * Secure Contexts 3.1 trusts them for the same reason).
   */
  static AuthnLevel level(LoginContract contract, Origin origin) {
    boolean isProtected = origin.isSecure() || Loopback.isName(origin.host());
    return isProtected && contract.least() == AuthnLevel.PASSWORD ? AuthnLevel.PROTECTED_PASSWORD : contract.least();
  }

  /** All that these events earn together: a second step counts only beside a first one. */
  static Set<AuthnLevel> earned(List<AuthnEvent> events) {
    EnumSet<AuthnLevel> levels = EnumSet.noneOf(AuthnLevel.class);
    boolean second = false;
    for (AuthnEvent event : events) {
      if (event.contract().isSecondStep()) {
        second = true;
      } else {
        levels.add(event.level());
      }
    }
    if (!levels.isEmpty() && second) {
      levels.add(AuthnLevel.SECOND_FACTOR);
    }
    return levels;
  }

  /** The class to assert where nobody asked for one; empty where nothing was earned. */
  static Optional<String> strongest(Set<AuthnLevel> earned) {
    return earned.stream().max(Comparator.naturalOrder()).map(level -> level.classRefs().getFirst());
  }

  /** The class to assert to who asked for that; empty where what was earned does not satisfy it. */
  static Optional<String> answer(Set<AuthnLevel> earned, RequestedAuthnContext requested) {
    List<String> refs = requested.classRefs();
    List<AuthnLevel> asked = refs.stream().flatMap(ref -> AuthnLevel.of(ref).stream()).toList();
    if (earned.isEmpty() || asked.isEmpty()) {
      return Optional.empty();
    }
    return switch (requested.comparison()) {
      // The order is the partner's preference. Whoever passed any contract was authenticated by unspecified means too.
      case "exact" ->
          refs.stream()
              .filter(
                  ref -> AuthnLevel.of(ref).filter(l -> l == AuthnLevel.UNSPECIFIED || earned.contains(l)).isPresent())
              .findFirst();
      case "minimum" -> {
        AuthnLevel least = asked.stream().min(Comparator.naturalOrder()).orElseThrow();
        yield best(earned, level -> level.reaches(least), refs);
      }
      case "maximum" -> {
        AuthnLevel most = asked.stream().max(Comparator.naturalOrder()).orElseThrow();
        yield best(earned, most::reaches, refs);
      }
      // Stronger than every one of them, also than those that we cannot rank: then never.
      case "better" ->
          asked.size() < refs.size()
              ? Optional.empty()
              : best(earned, level -> asked.stream().allMatch(other -> level.compareTo(other) > 0), refs);
      default -> Optional.empty();
    };
  }

  /** The strongest that fits; of its names, one that was asked for. */
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
