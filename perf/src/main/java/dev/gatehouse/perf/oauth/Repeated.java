package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.load.Answer;
import dev.gatehouse.perf.load.ApiClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Repeats prepared requests. */
final class Repeated implements Caller {

  /** The number of tokens that are used in turn, so that a server does not always get the same one. */
  private static final int TOKENS = 20;

  private final ApiClient client;
  private final List<String> requests;
  private final int status;
  private final String expected;
  private int next;

  /** @param expected text that each response must contain */
  private Repeated(ApiClient client, List<String> requests, int status, String expected) {
    this.client = client;
    this.requests = List.copyOf(requests);
    this.status = status;
    this.expected = expected;
  }

  /** Client credentials (RFC 6749, section 4.4). */
  static Caller clientCredentials(AuthorizationServer server, BenchClient client) throws IOException {
    ApiClient api = new ApiClient(server.url());
    String request = api.post(server.endpoints().token(), "grant_type=client_credentials", client.basic());
    Text.checkFormat(client, Text.member(api.send(request).body(), "access_token"));
    return new Repeated(api, List.of(request), 200, "\"access_token\"");
  }

  /**
   * Resource owner password (RFC 6749, section 4.3), one person after the other.
   *
   * @param number of the caller, from 0
   */
  static Caller password(AuthorizationServer server, BenchClient client, int number) throws IOException {
    ApiClient api = new ApiClient(server.url());
    List<String> requests = new ArrayList<>();
    for (int n : Visitors.of(number)) {
      requests.add(api.post(server.endpoints().token(), Tokens.passwordForm(n, "profile"), client.basic()));
    }
    Text.checkFormat(client, Text.member(api.send(requests.getFirst()).body(), "access_token"));
    return new Repeated(api, requests, 200, "\"access_token\"");
  }

  /** Pushed authorization requests (RFC 9126). */
  static Caller push(AuthorizationServer server, BenchClient client) throws IOException {
    ApiClient api = new ApiClient(server.url());
    String form = SignIn.parameters(client, "code", Text.base64url(new byte[32]));
    return new Repeated(
        api, List.of(api.post(server.endpoints().push(), form, client.basic())), 201, "\"request_uri\"");
  }

  /** UserInfo requests (OpenID Connect Core, section 5.3). */
  static Caller userInfo(AuthorizationServer server, BenchClient client, int number) throws IOException {
    String target = server.endpoints().userInfo();
    return withTokens(server, client, number, "\"sub\"", (api, token) -> api.get(target, bearer(token)));
  }

  /** Tokeninfo requests, the historical way to validate a token. */
  static Caller tokenInfo(AuthorizationServer server, BenchClient client, int number) throws IOException {
    String target = server.endpoints().tokenInfo();
    return withTokens(server, client, number, "\"scope\"", (api, token) -> api.get(target, bearer(token)));
  }

  /** Introspection requests (RFC 7662). */
  static Caller introspection(AuthorizationServer server, BenchClient client, int number) throws IOException {
    return withTokens(
        server,
        client,
        number,
        "\"active\":true",
        (api, token) -> api.post(server.endpoints().introspect(), "token=" + token, client.basic()));
  }

  @FunctionalInterface
  private interface TokenRequest {
    String request(ApiClient api, String token);
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token;
  }

  private static Caller withTokens(
      AuthorizationServer server, BenchClient client, int number, String expected, TokenRequest tokenRequest) throws IOException {
    ApiClient api = new ApiClient(server.url());
    List<String> requests = new ArrayList<>();
    for (int n : Visitors.of(number).subList(0, TOKENS)) {
      String token = Tokens.ofPerson(api, server, client, n, "openid profile email").access();
      Text.checkFormat(client, token);
      requests.add(tokenRequest.request(api, token));
    }
    return new Repeated(api, requests, 200, expected);
  }

  @Override
  public void reconnect() throws IOException {
    client.reconnect();
  }

  @Override
  public void once() throws IOException {
    Answer answer = client.send(requests.get(next));
    next = next + 1 == requests.size() ? 0 : next + 1;
    if (answer.status() != status || !answer.body().contains(expected)) {
      throw new IOException("answered " + answer.status() + ": " + answer.body());
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
