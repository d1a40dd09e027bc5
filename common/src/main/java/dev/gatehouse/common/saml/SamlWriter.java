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

  /** A URL that brings an artifact (SAML Bindings 3.6.3.1). */
  URI redirect(Artifact artifact, String location, Optional<String> relayState);

  /** What a form that brings an artifact needs (SAML Bindings 3.6.3.2). */
  PostForm post(Artifact artifact, String location, Optional<String> relayState);

  /** For an artifact: unsigned, since the ArtifactResponse around it will be signed. */
  WrittenMessage write(SamlMessage message);

  /** A Response for an artifact, of which the partner wants something signed that stays when it is unpacked. */
  WrittenMessage write(SamlMessage.Response response, SigningKey key, Signed what);

  /** The signed message in a SOAP envelope, UTF-8 (SAML Bindings 3.2.2). */
  byte[] soap(SamlMessage message, SigningKey key);

  /** The signed ArtifactResponse, around the message if there is one, in a SOAP envelope. */
  byte[] soap(SamlMessage.ArtifactResponse response, Optional<WrittenMessage> message, SigningKey key);

  /** A SOAP Fault: the only answer to what could not be read (SAML Bindings 3.2.3.3). */
  byte[] soapFault(Fault fault, String text);

  /** Who made the mistake (SOAP 1.1, section 4.4.1). */
  enum Fault {
    CLIENT("Client"),
    SERVER("Server");

    private final String code;

    Fault(String code) {
      this.code = code;
    }

    public String code() {
      return code;
    }
  }

  /**
   * The same writer for one partner: what its configuration names is encrypted wherever it stands in a message. Of a
   * Response the Assertion is signed before it is encrypted; NameIDs and attributes are encrypted before their
   * Assertion is signed.
   */
  SamlWriter encrypting(Encryption encryption);

  /** Which element of a Response is signed. */
  enum Signed {
    /** The Assertion alone: what metadata's WantAssertionsSigned asks for; the usual case. */
    ASSERTION,
    /** The Response alone; also where there is no Assertion. */
    RESPONSE,
    BOTH
  }

  /**
   * @param parameter {@code SAMLRequest}, {@code SAMLResponse} or {@code SAMLart}
   * @param value base64
   */
  record PostForm(String action, String parameter, String value, Optional<String> relayState) {}
}
