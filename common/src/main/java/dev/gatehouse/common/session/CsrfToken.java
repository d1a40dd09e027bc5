package dev.gatehouse.common.session;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.SameOrigin;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * The hidden {@code csrf} field of a form: a hash of a cookie's value and the form's name. A page of another site can
 * make the browser send the cookie, but can neither read it nor compute this hash.
 */
public final class CsrfToken {

  private CsrfToken() {}

  /** @param form the name of the form, and the key of what it decides on, if it has one */
  public static String of(SessionToken cookie, String... form) {
    return Sha256.base64Url("csrf\n" + String.join("\n", form) + "\n" + cookie.value());
  }

  /** Returns whether a page of ours sent this form: from the same origin, and with the field of the form. */
  public static boolean isIn(EdgeRequest request, SessionToken cookie, String... form) {
    return SameOrigin.sent(request)
        && request.formParameters().one("csrf").filter(sent -> equal(sent, of(cookie, form))).isPresent();
  }

  private static boolean equal(String a, String b) {
    return MessageDigest.isEqual(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }
}
