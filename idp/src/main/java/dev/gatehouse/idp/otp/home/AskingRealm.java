package dev.gatehouse.idp.otp.home;

import dev.gatehouse.common.realm.Realm.OtpTrusts;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.Optional;

/**
 * A trusted realm that asks: it proved in TLS that it has the key of a certificate of its document. No authority is asked, so that nobody else
 * can say who it is.
 *
 * @param ours our side of the trust
 */
record AskingRealm(OtpTrusts ours, TrustedRealm realm) {

  static Result<AskingRealm, OAuthError> of(RealmRequest request, Instant now) {
    Optional<OtpTrusts> ours = request.realm().parties().otp();
    if (ours.isEmpty()) {
      return OAuthError.refused(Code.INVALID_REQUEST, "This realm trusts no other one: otp.visitors is not configured");
    }
    if (request.certificates().isEmpty()) {
      return OAuthError.refused(Code.INVALID_CLIENT, "No certificate was shown at listeners.clientCertificates");
    }
    X509Certificate shown = request.certificates().getFirst();
    return ours.get().realms().stream()
        .filter(realm -> realm.document().certificates().contains(shown))
        .findFirst()
        .map(realm -> valid(shown, now, new AskingRealm(ours.get(), realm)))
        .orElseGet(() -> OAuthError.refused(Code.INVALID_CLIENT, "The certificate is in the document of no realm of otp.visitors.trusts"));
  }

  private static Result<AskingRealm, OAuthError> valid(X509Certificate shown, Instant now, AskingRealm asking) {
    try {
      shown.checkValidity(Date.from(now));
      return Result.accepted(asking);
    } catch (GeneralSecurityException e) {
      return OAuthError.refused(Code.INVALID_CLIENT, "The certificate of " + asking.realm().name() + " is not valid now");
    }
  }

  /** The name by which its questions are recorded, and to which its challenges belong. */
  String client() {
    return "realm:" + realm.name();
  }

  /**
   * Returns the name that our directory has for what a person typed there; empty if its suffix is not ours.
   *
   * @param name with or without suffix
   */
  Optional<String> ourName(String name) {
    return OurNames.here(ours, name);
  }
}
