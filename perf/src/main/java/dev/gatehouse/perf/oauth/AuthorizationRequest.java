package dev.gatehouse.perf.oauth;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.FilledForm;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Authorization requests (RFC 6749, sections 4.1 and 4.2, RFC 7636) and the responses to them. */
public final class AuthorizationRequest {

  /**
   * The link on the page with which Gatehouse leaves a form, because browsers do not let a form end at an address that
   * its policy does not name.
   */
  private static final Pattern BACK = Pattern.compile("href=\"(" + Pattern.quote(BenchClient.CALLBACK) + "[^\"]+)\"");

  private AuthorizationRequest() {}

  /** The parameters of the request, encoded. */
  public static String parameters(BenchClient client, String responseType, String verifier) {
    return "client_id=" + client.id() + "&redirect_uri=" + encoded(BenchClient.CALLBACK) + "&response_type="
        + encoded(responseType) + "&scope=openid+profile+email&state=af0ifjsldkj&nonce=n-0S6_WzA2Mj"
        + (responseType.contains("code") ? "&code_challenge_method=S256&code_challenge=" + challenge(verifier) : "");
  }

  static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  private static String challenge(String verifier) {
    return Sha256.base64Url(verifier);
  }

  static String base64url(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** The address of the client to which an answer leads, by redirect or by link; empty if it leads elsewhere. */
  static Optional<String> callback(Answer answer) {
    if (answer.location().startsWith(BenchClient.CALLBACK)) {
      return Optional.of(answer.location());
    }
    Matcher link = BACK.matcher(answer.body());
    return link.find() ? Optional.of(FilledForm.unescaped(link.group(1))) : Optional.empty();
  }

  /**
   * A parameter of the response, as it occurs in the address.
   *
   * @throws IOException if there is none
   */
  static String parameter(String callback, String name) throws IOException {
    for (String pair : callback.substring(BenchClient.CALLBACK.length() + 1).split("&")) {
      if (pair.startsWith(name + "=")) {
        return pair.substring(name.length() + 1);
      }
    }
    throw new IOException("no " + name + " in " + callback);
  }
}
