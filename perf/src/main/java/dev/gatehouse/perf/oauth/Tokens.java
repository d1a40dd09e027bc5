package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.load.Answer;
import dev.gatehouse.perf.load.ApiClient;
import java.io.IOException;

/** The tokens that a client got for a person. */
record Tokens(String access, String refresh) {

  static Tokens ofPerson(ApiClient api, AuthorizationServer server, BenchClient client, int person, String scope)
      throws IOException {
    return read(api.send(api.post(server.endpoints().token(), passwordForm(person, scope), client.basic())));
  }

  static Tokens read(Answer answer) throws IOException {
    if (answer.status() != 200) {
      throw new IOException("no tokens, but " + answer.status() + ": " + answer.body());
    }
    return new Tokens(Text.member(answer.body(), "access_token"), Text.member(answer.body(), "refresh_token"));
  }

  static String passwordForm(int person, String scope) {
    return "grant_type=password&username=" + People.name(person) + "&password=" + People.password(person) + "&scope="
        + Text.encoded(scope);
  }
}
