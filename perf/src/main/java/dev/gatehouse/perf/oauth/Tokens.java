package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Client;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The tokens that a client got for a person. */
public record Tokens(String access, String refresh) {

  /**
   * Gets tokens with the resource owner's password.
   *
   * @param scope encoded
   */
  public static Tokens ofPerson(Client api, OAuthServer server, BenchClient client, int person, String scope)
      throws IOException {
    return read(api.send(api.post(server.endpoints().token(), passwordForm(person, scope), client.basic())));
  }

  static Tokens read(Answer answer) throws IOException {
    if (answer.status() != 200) {
      throw new IOException("no tokens, but " + answer.status() + ": " + answer.body());
    }
    return new Tokens(member(answer.body(), "access_token"), member(answer.body(), "refresh_token"));
  }

  /** @param scope encoded */
  public static String passwordForm(int person, String scope) {
    return "grant_type=password&username=" + People.name(person) + "&password=" + People.password(person) + "&scope=" + scope;
  }

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
