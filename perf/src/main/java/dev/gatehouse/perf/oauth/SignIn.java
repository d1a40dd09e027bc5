package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Browser;
import dev.gatehouse.perf.http.Client;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** An authorization request of a person, through the login form if the person is not logged in; a code is redeemed. */
public final class SignIn implements ClosedLoad.User {

  private final OAuthServer server;
  private final BenchClient client;
  private final String responseType;
  private final boolean staysLoggedIn;
  private final boolean pushes;
  private final List<Integer> people;
  private final Browser browser;
  private final Client api;
  private int made;

  /**
   * @param staysLoggedIn whether one person logs in once; otherwise each time the next person does, in a browser
   *     without cookies
   */
  public SignIn(OAuthServer server, BenchClient client, String responseType, boolean staysLoggedIn, int number)
      throws IOException {
    this(server, client, responseType, staysLoggedIn, false, number);
  }

  private SignIn(
      OAuthServer server, BenchClient client, String responseType, boolean staysLoggedIn, boolean pushes, int number)
      throws IOException {
    this.server = server;
    this.client = client;
    this.responseType = responseType;
    this.staysLoggedIn = staysLoggedIn;
    this.pushes = pushes;
    this.people = People.ofUser(number);
    this.browser = new Browser(List.of(server.url().toString()));
    this.api = Client.program(server.url());
  }

  /** Somebody who logs in once, by a client that pushes its requests (RFC 9126). */
  static SignIn pushed(OAuthServer server, BenchClient client, int number) throws IOException {
    return new SignIn(server, client, "code", true, true, number);
  }

  @Override
  public void reconnect() throws IOException {
    browser.reconnect();
    api.reconnect();
  }

  @Override
  public int once() throws IOException {
    if (!staysLoggedIn) {
      browser.forget();
    }
    String verifier = AuthorizationRequest.base64url(("a verifier of the bench, number " + made).getBytes(StandardCharsets.US_ASCII));
    String parameters = AuthorizationRequest.parameters(client, responseType, verifier);
    String url = server.url() + server.endpoints().authorize() + "?" + (pushes ? push(parameters) : parameters);
    int person = people.get(staysLoggedIn ? 0 : made % people.size());
    boolean logsIn = !staysLoggedIn || made == 0;
    Map<String, String> typed =
        logsIn ? Map.of("username", People.name(person), "password", People.password(person)) : Map.of();
    Answer last = browser.open(url, typed, (at, answer) -> AuthorizationRequest.callback(answer).isPresent());
    String callback = AuthorizationRequest.callback(last).orElseThrow();
    for (String type : responseType.split(" ")) {
      String value = AuthorizationRequest.parameter(callback, type.equals("token") ? "access_token" : type);
      if (type.equals("code")) {
        redeem(value, verifier);
      }
    }
    made++;
    return 1;
  }

  /** Returns the parameters that name the pushed request. */
  private String push(String parameters) throws IOException {
    Answer answer = api.send(api.post(server.endpoints().push(), parameters, client.basic()));
    if (answer.status() != 201) {
      throw new IOException("answered " + answer.status() + ": " + answer.body());
    }
    String request = Tokens.member(answer.body(), "request_uri");
    return "client_id=" + client.id() + "&request_uri=" + AuthorizationRequest.encoded(request);
  }

  /** @param code as it occurs in the address */
  private void redeem(String code, String verifier) throws IOException {
    String form =
        "grant_type=authorization_code&code=" + code + "&redirect_uri="
            + AuthorizationRequest.encoded(BenchClient.CALLBACK) + "&code_verifier=" + verifier;
    Answer answer = api.send(api.post(server.endpoints().token(), form, client.basic()));
    Tokens tokens = Tokens.read(answer);
    Tokens.member(answer.body(), "id_token");
    if (made == 0) {
      Tokens.checkFormat(client, tokens.access());
    }
  }

  @Override
  public void close() throws IOException {
    browser.close();
    api.close();
  }
}
