package dev.gatehouse.perf.oauth;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The parts of JSON, JWTs and forms that the load needs. */
final class Text {

  private Text() {}

  /** A member's value, which must be a string without escapes, as tokens are. */
  static String member(String json, String name) throws IOException {
    String quoted = "\"" + name + "\"";
    int at = json.indexOf(quoted);
    int from = at < 0 ? -1 : json.indexOf('"', at + quoted.length()) + 1;
    int to = from < 1 ? -1 : json.indexOf('"', from);
    if (to < 0) {
      throw new IOException("no " + name + " in " + json);
    }
    return json.substring(from, to);
  }

  static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  static String base64url(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static String base64url(String text) {
    return base64url(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Checks an access token.
   *
   * @throws IOException if the token does not have the client's format or algorithm
   */
  static void checkFormat(BenchClient client, String accessToken) throws IOException {
    int dot = accessToken.indexOf('.');
    boolean isJwt = accessToken.startsWith("eyJ") && dot > 0;
    if (isJwt != client.format().equals("jwt")) {
      throw new IOException(client.id() + " got an access token of the other form");
    }
    if (isJwt) {
      byte[] header = Base64.getUrlDecoder().decode(accessToken.substring(0, dot));
      String algorithm = member(new String(header, StandardCharsets.UTF_8), "alg");
      if (!algorithm.equals(client.algorithm())) {
        throw new IOException(client.id() + " got an access token by " + algorithm);
      }
    }
  }
}
