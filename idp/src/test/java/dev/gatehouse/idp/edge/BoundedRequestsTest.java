package dev.gatehouse.idp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.http.ListenerConnections;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More requests than are handled at a time. */
@Timeout(60)
class BoundedRequestsTest {

  private static final int MOST = 4;
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Duration LONG = Duration.ofSeconds(40);
  private static final String HEAD = "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n";

  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger begun = new AtomicInteger();
  private final Server server = new Server(new VirtualThreadPool(0));
  private final List<Socket> clients = new ArrayList<>();

  private void start(Duration placeTime, Duration bodyTime) throws Exception {
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    Handler work =
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) throws Exception {
            begun.incrementAndGet();
            boolean isWanted = !request.getHttpURI().getPath().equals("/unwanted");
            String body = isWanted ? Content.Source.asString(request) : "";
            if (request.getHttpURI().getPath().equals("/slow")) {
              released.await();
            }
            Content.Sink.write(response, true, "served " + body + "\n", callback);
            return true;
          }
        };
    server.setHandler(new BoundedRequests(MOST, placeTime, bodyTime, work));
    server.start();
  }

  @AfterEach
  void stop() throws Exception {
    released.countDown();
    for (Socket client : clients) {
      client.close();
    }
    server.stop();
  }

  @Test
  void whoseBodyIsAwaitedLongestGivesWay() throws Exception {
    start(LONG, LONG);
    List<Socket> slow = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      slow.add(connect());
      send(slow.getLast(), HEAD.formatted("/"));
    }
    Eventually.holds(() -> begun.get() == MOST);
    // A byte now and then does not begin their time again.
    Thread.sleep(200);
    for (Socket each : slow) {
      send(each, "b");
    }
    Thread.sleep(200);
    assertThat(ask("/")).startsWith("HTTP/1.1 200").endsWith("served body\n");
    int served = 0;
    for (Socket each : slow) {
      served += finish(each).endsWith("served body\n") ? 1 : 0;
    }
    assertThat(served).isEqualTo(MOST - 1);
  }

  /** Those that wait for places have no bodies either, and came before their patience was over. */
  @Test
  void aBurstOfBodiesThatDoNotComeHoldsUpNobody() throws Exception {
    start(LONG, LONG);
    for (int i = 0; i < 4 * MOST; i++) {
      send(connect(), HEAD.formatted("/"));
    }
    Eventually.holds(() -> begun.get() == MOST);
    long before = System.nanoTime();
    assertThat(ask("/")).startsWith("HTTP/1.1 200");
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
  }

  /** As at the real listeners, which discard what is left of a body before the connection ends. */
  @Test
  void whoGotAResponseHoldsNoPlaceWhileItsBodyIsDiscarded() throws Exception {
    start(LONG, LONG);
    server.stop();
    new BoundedListeners("test", ListenerConnections.ofThisProcess().idp()).customize(server);
    server.start();
    for (int i = 0; i < MOST; i++) {
      Socket unwanted = connect();
      send(unwanted, HEAD.formatted("/unwanted"));
      assertThat(line(unwanted)).startsWith("HTTP/1.1 200");
    }
    long before = System.nanoTime();
    assertThat(ask("/")).startsWith("HTTP/1.1 200");
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(3));
  }

  @Test
  void whoFindsNoPlaceInTimeIsRefused() throws Exception {
    start(SHORT, LONG);
    for (int i = 0; i < MOST; i++) {
      send(connect(), HEAD.formatted("/slow") + "body");
    }
    Eventually.holds(() -> begun.get() == MOST);
    assertThat(ask("/")).startsWith("HTTP/1.1 503").containsIgnoringCase("Retry-After: 2").containsIgnoringCase("Connection: close");
    released.countDown();
    Eventually.holds(() -> ask("/").startsWith("HTTP/1.1 200"));
  }

  @Test
  void aBodyThatDoesNotComeEndsItsConnection() throws Exception {
    start(LONG, Duration.ofSeconds(3));
    Socket slow = connect();
    send(slow, HEAD.formatted("/"));
    Eventually.holds(() -> begun.get() == 1);
    Thread.sleep(1_000);
    send(slow, "b");
    assertThat(line(slow)).doesNotContain("served");
  }

  @Test
  void aPlaceThatBecomesFreeIsGivenToWhoWaits() throws Exception {
    start(LONG, LONG);
    for (int i = 0; i < MOST; i++) {
      send(connect(), HEAD.formatted("/slow") + "body");
    }
    Eventually.holds(() -> begun.get() == MOST);
    Socket waiting = connect();
    send(waiting, HEAD.formatted("/") + "body");
    Thread.sleep(100);
    assertThat(begun.get()).isEqualTo(MOST);
    released.countDown();
    assertThat(line(waiting)).endsWith("served body\n");
  }

  private Socket connect() throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), ((ServerConnector) server.getConnectors()[0]).getLocalPort());
    client.setSoTimeout(20_000);
    clients.add(client);
    return client;
  }

  private String ask(String path) throws IOException {
    Socket client = connect();
    send(client, HEAD.formatted(path) + "body");
    return line(client);
  }

  private static void send(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Sends the rest of a body; nothing comes if the connection has ended. */
  private static String finish(Socket client) {
    try {
      send(client, "ody");
      return line(client);
    } catch (IOException e) {
      return "";
    }
  }

  /** The next response, whose body is one line; what came of it if the connection ends before. */
  private static String line(Socket client) {
    StringBuilder read = new StringBuilder();
    try {
      while (true) {
        int next = client.getInputStream().read();
        if (next < 0) {
          return read.toString();
        }
        read.append((char) next);
        int end = read.indexOf("\r\n\r\n");
        if (end > 0 && next == '\n' && read.length() > end + 4) {
          return read.toString();
        }
      }
    } catch (IOException e) {
      return read.toString();
    }
  }
}
