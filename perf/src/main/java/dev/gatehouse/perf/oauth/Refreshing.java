package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.load.ApiClient;
import java.io.IOException;

/** One family of rotating refresh tokens (RFC 6749, section 6). */
final class Refreshing implements Caller {

  private final ApiClient api;
  private final AuthorizationServer server;
  private final BenchClient client;
  private Tokens tokens;

  private Refreshing(ApiClient api, AuthorizationServer server, BenchClient client, Tokens tokens) {
    this.api = api;
    this.server = server;
    this.client = client;
    this.tokens = tokens;
  }

  static Caller of(AuthorizationServer server, BenchClient client, int number) throws IOException {
    ApiClient api = new ApiClient(server.url());
    Tokens tokens = Tokens.ofPerson(api, server, client, Visitors.of(number).getFirst(), "profile");
    Text.checkFormat(client, tokens.access());
    return new Refreshing(api, server, client, tokens);
  }

  @Override
  public void reconnect() throws IOException {
    api.reconnect();
  }

  @Override
  public void once() throws IOException {
    String form = "grant_type=refresh_token&refresh_token=" + tokens.refresh();
    Tokens successors = Tokens.read(api.send(api.post(server.endpoints().token(), form, client.basic())));
    if (successors.refresh().equals(tokens.refresh())) {
      throw new IOException("the refresh token does not rotate");
    }
    tokens = successors;
  }

  @Override
  public void close() throws IOException {
    api.close();
  }
}
