package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.harness.ClosedLoad;
import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Client;
import java.io.IOException;
import java.net.URI;

/** One page of the gateway, again and again, by somebody who is logged in. */
public final class OnePage implements ClosedLoad.User {

  private final Gateway gateway;
  private final URI server;
  private final Client client;
  private final String target;
  private final int bytes;
  private final boolean sessionsEnd;
  private String request;

  private OnePage(Gateway gateway, URI server, String target, String cookie, int bytes, boolean sessionsEnd) throws IOException {
    this.gateway = gateway;
    this.server = server;
    this.client = Client.program(server);
    this.target = target;
    this.bytes = bytes;
    this.sessionsEnd = sessionsEnd;
    this.request = client.get(target, cookie);
  }

  /**
   * The page of 14 KB from the cache, session and role checked.
   *
   * @param sessionsEnd whether a session may end while it is used: then its user logs in again, as a program with a password does
   */
  public static ClosedLoad.UserFactory cached(Gateway gateway, boolean sessionsEnd) throws IOException {
    return at(gateway, "/role/page-14k.html", Pages.PAGE, sessionsEnd);
  }

  /** A small page of the app, as above. */
  public static ClosedLoad.UserFactory passedThrough(Gateway gateway, boolean sessionsEnd) throws IOException {
    return at(gateway, "/app/small", Pages.SMALL, sessionsEnd);
  }

  private static ClosedLoad.UserFactory at(Gateway gateway, String target, int bytes, boolean sessionsEnd) throws IOException {
    URI server = URI.create("http://127.0.0.1:" + gateway.http());
    String cookie = gateway.loggedIn(server);
    return number -> new OnePage(gateway, server, target, cookie, bytes, sessionsEnd);
  }

  @Override
  public void reconnect() throws IOException {
    client.reconnect();
  }

  @Override
  public int once() throws IOException {
    Answer answer = client.send(request);
    if (answer.status() == 401 && sessionsEnd) {
      request = client.get(target, gateway.loggedIn(server));
      answer = client.send(request);
    }
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
