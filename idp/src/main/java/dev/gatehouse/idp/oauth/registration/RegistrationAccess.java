package dev.gatehouse.idp.oauth.registration;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.OAuthConfig.Registration;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Decides who may register a client (RFC 7591, section 3), by the realm's setting {@code registration}. */
final class RegistrationAccess {

  private static final String SCHEME = "bearer ";

  /** Fields that a proxy or a browser page sends: with them, the client address does not identify the caller. */
  private static final List<String> BETWEEN =
      List.of("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via", "Origin");

  private static final String DIGEST = "registration-access";

  private final InitialAccessTokens tokens;
  private final SealingKey sealing;

  RegistrationAccess(InitialAccessTokens tokens, SealingKey sealing) {
    this.tokens = tokens;
    this.sealing = sealing;
  }

  /**
   * Returns the name on whose authority the client registers: that of an initial access token, or
   * {@link Registrations#LOOPBACK}.
   */
  Result<String, OAuthError> check(RealmRequest request) {
    Registration rule = request.idp().oauth().registration();
    if (rule == Registration.CLOSED) {
      return OAuthError.refused(Code.ACCESS_DENIED, "clients are registered by administrators alone");
    }
    Optional<String> token = bearer(request);
    if (token.isPresent()) {
      return token
          .flatMap(tokens::verify)
          .<Result<String, OAuthError>>map(Result::accepted)
          .orElseGet(() -> OAuthError.refused(Code.INVALID_TOKEN, "the initial access token is not known"));
    }
    return rule == Registration.LOOPBACK && isHere(request)
        ? Result.accepted(Registrations.LOOPBACK)
        : OAuthError.refused(Code.INVALID_TOKEN, "an initial access token is needed");
  }

  /** The form in which the access token of a registration is stored. */
  String digest(RealmRequest request, String clientId, String token) {
    return sealing.digest(token, DIGEST, request.realm().name(), clientId);
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
