package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.saml.encryption.Encryption;
import java.net.URI;
import java.util.Optional;

/** Writes and signs messages (exclusive c14n; RSA-SHA256 or ECDSA-SHA256 by the key's algorithm). */
public interface SamlWriter {

  /** Returns a Redirect URL with signed raw query (SAML Bindings 3.4.4.1). */
  URI redirect(SamlMessage message, String location, Optional<String> relayState, SigningKey key);

  /** Returns the data of an auto-submitting form for the POST binding (SAML Bindings 3.5.4). */
  PostForm post(SamlMessage message, String location, Optional<String> relayState, SigningKey key);

  /** Returns a Response by POST with the signatures that the partner wants. */
  PostForm postResponse(
      SamlMessage.Response response, String location, Optional<String> relayState, SigningKey key, Signed what);

  /** Returns a URL with an artifact (SAML Bindings 3.6.3.1). */
  URI redirect(Artifact artifact, String location, Optional<String> relayState);

  /** Returns the data of a form with an artifact (SAML Bindings 3.6.3.2). */
  PostForm post(Artifact artifact, String location, Optional<String> relayState);

  /** Writes a message for an artifact: unsigned, since the ArtifactResponse around it will be signed. */
  WrittenMessage write(SamlMessage message);

  /** Writes a Response for an artifact whose signature must persist after the ArtifactResponse is unpacked. */
  WrittenMessage write(SamlMessage.Response response, SigningKey key, Signed what);

  /** Writes the signed message in a SOAP envelope, UTF-8 (SAML Bindings 3.2.2). */
  byte[] soap(SamlMessage message, SigningKey key);

  /** Writes the signed ArtifactResponse, around the message if there is one, in a SOAP envelope. */
  byte[] soap(SamlMessage.ArtifactResponse response, Optional<WrittenMessage> message, SigningKey key);

  /** Writes a SOAP Fault: the only response to an unreadable request (SAML Bindings 3.2.3.3). */
  byte[] soapFault(Fault fault, String text);

  /** The party that made the mistake (SOAP 1.1, section 4.4.1). */
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
   * Returns a writer for one partner that encrypts the elements named in its configuration. In a Response the Assertion is signed
   * before it is encrypted; NameIDs and attributes are encrypted before their Assertion is signed.
   */
  SamlWriter encrypting(Encryption encryption);

  /** The elements of a Response that are signed. */
  enum Signed {
    /** Only the Assertion, as metadata's WantAssertionsSigned requests; the usual case. */
    ASSERTION,
    /** Only the Response; also if there is no Assertion. */
    RESPONSE,
    BOTH
  }

  /**
   * The data of a form.
   *
   * @param parameter {@code SAMLRequest}, {@code SAMLResponse} or {@code SAMLart}
   * @param value base64
   */
  record PostForm(String action, String parameter, String value, Optional<String> relayState) {}
}
