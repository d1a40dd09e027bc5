package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.realm.OAuthConfig.Registration;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import dev.gatehouse.idp.oauth.Outcome;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Who may register a client (RFC 7591, section 3): as the realm's {@code registration} has it. */
final class RegistrationAccess {

  private static final String SCHEME = "bearer ";

  /** A proxy's, or a page's of a browser: then the address says nothing of who asks. */
  private static final List<String> BETWEEN =
      List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via", "Origin");

  private final InitialAccessTokens tokens;

  RegistrationAccess(InitialAccessTokens tokens) {
    this.tokens = tokens;
  }

  /** In whose name: that of an initial access token, or {@link Registrations#LOOPBACK}. */
  Outcome<String> check(RealmRequest request) {
    Registration rule = request.idp().oauth().registration();
    if (rule == Registration.CLOSED) {
      return Outcome.refused(Code.ACCESS_DENIED, "clients are registered by administrators alone");
    }
    Optional<String> token = bearer(request);
    if (token.isPresent()) {
      return token
          .flatMap(tokens::verify)
          .map(Outcome::passed)
          .orElseGet(() -> Outcome.refused(Code.INVALID_TOKEN, "the initial access token is not known"));
    }
    return rule == Registration.LOOPBACK && isHere(request)
        ? Outcome.passed(Registrations.LOOPBACK)
        : Outcome.refused(Code.INVALID_TOKEN, "an initial access token is needed");
  }

  /** The one token in the header Authorization (RFC 6750, section 2.1). */
  static Optional<String> bearer(RealmRequest request) {
    List<String> headers = request.http().headers().all("Authorization");
    return headers.size() == 1 && headers.getFirst().toLowerCase(Locale.ROOT).startsWith(SCHEME)
        ? Optional.of(headers.getFirst().substring(SCHEME.length()).strip())
        : Optional.empty();
  }

  private static boolean isHere(RealmRequest request) {
    return request.http().client().isLoopbackAddress()
        && BETWEEN.stream().allMatch(name -> request.http().headers().first(name).isEmpty());
  }
}
