package dev.gatehouse.idp.authn;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.http.SameOrigin;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;

/**
 * The hidden {@code csrf} field of a form: a hash of the cookie's value and the form's name. A page of another site can
 * make the browser send the cookie, but can neither read it nor compute this hash.
 */
public final class CsrfToken {

  private CsrfToken() {}

  public static String of(SessionToken cookie, String form) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(digest(cookie, form));
  }

  /** Returns whether a page of ours sent this form: from the same origin, and with the field of the form. */
  public static boolean isIn(RealmRequest request, SessionToken cookie, String form) {
    Optional<String> sent = request.http().formParameters().one("csrf");
    return SameOrigin.sent(request.http())
        && sent.isPresent()
        && MessageDigest.isEqual(
            of(cookie, form).getBytes(StandardCharsets.UTF_8), sent.get().getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] digest(SessionToken cookie, String form) {
    return Sha256.of("csrf\n" + form + "\n" + cookie.value());
  }
}
