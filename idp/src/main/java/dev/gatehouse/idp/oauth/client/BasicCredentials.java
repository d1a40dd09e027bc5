package dev.gatehouse.idp.oauth.client;

import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Client ID and secret in HTTP Basic (RFC 7617). Both must first be form-encoded (RFC 6749, section 2.3.1), but many
 * clients omit that step. Both readings of each are therefore stored, that of the specification first.
 */
record BasicCredentials(List<String> ids, List<String> secrets) {

  private static final String SCHEME = "basic ";
  private static final int MAX_CHARACTERS = 8 * 1024;

  /** Reads the header; empty if it is not HTTP Basic. */
  static Optional<BasicCredentials> read(String header) {
    if (header.length() > MAX_CHARACTERS || !header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Optional.empty();
    }
    return decoded(header.substring(SCHEME.length()).strip()).flatMap(BasicCredentials::split);
  }

  private static Optional<BasicCredentials> split(String text) {
    int colon = text.indexOf(':');
    return colon < 1
        ? Optional.empty()
        : Optional.of(new BasicCredentials(readings(text.substring(0, colon)), readings(text.substring(colon + 1))));
  }

  private static Optional<String> decoded(String base64) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(base64));
      return Optional.of(StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
    } catch (IllegalArgumentException | CharacterCodingException e) {
      return Optional.empty();
    }
  }

  private static List<String> readings(String sent) {
    try {
      return Stream.of(URLDecoder.decode(sent, StandardCharsets.UTF_8), sent).distinct().toList();
    } catch (IllegalArgumentException e) {
      // A percent sign that begins no escape: the text was not encoded.
      return List.of(sent);
    }
  }

  /** Never contains the secret. */
  @Override
  public String toString() {
    return ids.toString();
  }
}
