package dev.gatehouse.common.saml;

import dev.gatehouse.common.key.SigningKey;
import java.net.URI;
import java.util.Optional;

/** Writes and signs messages (exclusive c14n; RSA-SHA256 or ECDSA-SHA256 by the key's algorithm). */
public interface SamlWriter {

  /** A Redirect URL with signed raw query (SAML Bindings 3.4.4.1). */
  URI redirect(SamlMessage message, String location, Optional<String> relayState, SigningKey key);

  /** What an auto-submitting form for the POST binding needs (SAML Bindings 3.5.4). */
  PostForm post(SamlMessage message, String location, Optional<String> relayState, SigningKey key);

  /** A Response by POST, signed once, where the partner wants it. */
  PostForm postResponse(
      SamlMessage.Response response, String location, Optional<String> relayState, SigningKey key, Signed what);

  /** Which element of a Response is signed. */
  enum Signed {
    /** The Assertion alone: what metadata's WantAssertionsSigned asks for; the usual case. */
    ASSERTION,
    /** The Response alone; also where there is no Assertion. */
    RESPONSE,
    BOTH
  }

  /**
   * @param parameter {@code SAMLRequest} or {@code SAMLResponse}
   * @param value base64
   */
  record PostForm(String action, String parameter, String value, Optional<String> relayState) {}
}
