package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Client;
import java.io.IOException;
import java.net.URI;

/** One page of the gateway, again and again, by somebody who is logged in. */
public final class OnePage implements ClosedLoad.User {

  private final Client client;
  private final String request;
  private final int bytes;

  private OnePage(URI server, String target, String cookie, int bytes) throws IOException {
    this.client = Client.program(server);
    this.request = client.get(target, cookie);
    this.bytes = bytes;
  }

  /** The page of 14 KB from the cache, session and role checked. */
  public static ClosedLoad.UserFactory cached(Gateway gateway) throws IOException {
    return at(gateway, "/role/page-14k.html", Pages.PAGE);
  }

  /** A small page of the app. */
  public static ClosedLoad.UserFactory passedThrough(Gateway gateway) throws IOException {
    return at(gateway, "/app/small", Pages.SMALL);
  }

  private static ClosedLoad.UserFactory at(Gateway gateway, String target, int bytes) throws IOException {
    URI server = URI.create("http://127.0.0.1:" + gateway.http());
    String cookie = gateway.loggedIn(server);
    return number -> new OnePage(server, target, cookie, bytes);
  }

  @Override
  public void reconnect() throws IOException {
    client.reconnect();
  }

  @Override
  public int once() throws IOException {
    Answer answer = client.send(request);
    if (answer.status() != 200 || answer.body().length() != bytes) {
      throw new IOException("the page was expected, not " + answer.status() + ", " + answer.body().length() + " bytes");
    }
    return 1;
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
