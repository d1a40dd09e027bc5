package dev.gatehouse.common.saml.message;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.saml.encryption.ElementEncrypter;
import dev.gatehouse.common.saml.encryption.Encryption;
import dev.gatehouse.common.saml.signature.Crypto;
import dev.gatehouse.common.saml.signature.SignatureAlgorithm;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;

/**
 * Writes messages directly as canonical XML, so that signing needs no tree and no second serialisation: the private key
 * operation takes nearly all the time of a signed Response.
 */
public final class CanonicalSamlWriter implements SamlWriter {

  private static final String HEX = "0123456789ABCDEF";

  private final SecureRandom random;
  private final Optional<ElementEncrypter> encrypter;

  public CanonicalSamlWriter() {
    this(new SecureRandom(), Optional.empty());
  }

  private CanonicalSamlWriter(SecureRandom random, Optional<ElementEncrypter> encrypter) {
    this.random = random;
    this.encrypter = encrypter;
  }

  @Override
  public SamlWriter encrypting(Encryption encryption) {
    return new CanonicalSamlWriter(random, Optional.of(new ElementEncrypter(encryption, random)));
  }

  @Override
  public URI redirect(SamlMessage message, String location, Optional<String> relayState, SigningKey key) {
    byte[] document = utf8(MessageElements.write(message, Optional.empty(), Optional.empty(), encrypter));
    StringBuilder query = new StringBuilder(1024);
    query.append(parameter(message)).append('=').append(encode(base64(Transport.deflate(document))));
    relayState.ifPresent(state -> query.append("&RelayState=").append(encode(state)));
    query.append("&SigAlg=").append(encode(SignatureAlgorithm.of(key.algorithm()).uri()));
    String signature = base64(Crypto.sign(key, utf8(query.toString())));
    query.append("&Signature=").append(encode(signature));
    return URI.create(location + (location.indexOf('?') < 0 ? '?' : '&') + query);
  }

  @Override
  public PostForm post(SamlMessage message, String location, Optional<String> relayState, SigningKey key) {
    String document = MessageElements.write(message, Optional.of(key), Optional.empty(), encrypter);
    return form(message, document, location, relayState);
  }

  @Override
  public PostForm postResponse(
      SamlMessage.Response response, String location, Optional<String> relayState, SigningKey key, Signed what) {
    return form(response, write(response, key, what).xml(), location, relayState);
  }

  @Override
  public URI redirect(Artifact artifact, String location, Optional<String> relayState) {
    StringBuilder url = new StringBuilder(256);
    url.append(location).append(location.indexOf('?') < 0 ? '?' : '&');
    url.append(SentMessage.ARTIFACT).append('=').append(encode(artifact.value()));
    relayState.ifPresent(state -> url.append("&RelayState=").append(encode(state)));
    return URI.create(url.toString());
  }

  @Override
  public PostForm post(Artifact artifact, String location, Optional<String> relayState) {
    return new PostForm(location, SentMessage.ARTIFACT, artifact.value(), relayState);
  }

  @Override
  public WrittenMessage write(SamlMessage message) {
    return new WrittenMessage(MessageElements.write(message, Optional.empty(), Optional.empty(), encrypter));
  }

  @Override
  public WrittenMessage write(SamlMessage.Response response, SigningKey key, Signed what) {
    Optional<SigningKey> signs = Optional.of(key);
    boolean message = response.assertions().isEmpty() || what != Signed.ASSERTION;
    boolean assertion = what != Signed.RESPONSE;
    return new WrittenMessage(
        MessageElements.write(
            response, message ? signs : Optional.empty(), assertion ? signs : Optional.empty(), encrypter));
  }

  @Override
  public byte[] soap(SamlMessage message, SigningKey key) {
    return utf8(SoapEnvelope.around(MessageElements.write(message, Optional.of(key), Optional.empty(), encrypter)));
  }

  @Override
  public byte[] soap(SamlMessage.ArtifactResponse response, Optional<WrittenMessage> message, SigningKey key) {
    return utf8(SoapEnvelope.around(MessageElements.write(response, message, key)));
  }

  @Override
  public byte[] soapFault(Fault fault, String text) {
    return utf8(SoapEnvelope.fault(fault.code(), text));
  }

  private static PostForm form(SamlMessage message, String document, String location, Optional<String> relayState) {
    return new PostForm(location, parameter(message), base64(utf8(document)), relayState);
  }

  private static String parameter(SamlMessage message) {
    return switch (message) {
      case SamlMessage.StatusResponse response -> "SAMLResponse";
      case SamlMessage.AuthnRequest request -> "SAMLRequest";
      case SamlMessage.LogoutRequest request -> "SAMLRequest";
      case SamlMessage.ManageNameIdRequest request -> "SAMLRequest";
      case SamlMessage.ArtifactResolve request -> "SAMLRequest";
    };
  }

  /**
   * Percent-encodes as {@link URLEncoder}, but without the plus sign, which not every peer reads as a space. Nearly all texts are base64
   * and URIs.
   */
  private static String encode(String value) {
    StringBuilder encoded = new StringBuilder(value.length() + value.length() / 8 + 16);
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (isUnreserved(c)) {
        encoded.append(c);
      } else if (c < 0x80) {
        encoded.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xf));
      } else {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
      }
    }
    return encoded.toString();
  }

  private static boolean isUnreserved(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' || c == '*';
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
