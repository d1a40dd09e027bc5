package dev.gatehouse.idp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Connections take turns ({@link FairEndPoint}). One thread serves them all, as a carrier does with virtual threads, so that the order is
 * the server's alone.
 */
@Timeout(60)
class ConnectionTurnsTest {

  /** The bytes that the server reads at once. */
  private static final int READ_BYTES = 4096;

  private static final int REQUESTS = 24;

  private final List<String> served = new CopyOnWriteArrayList<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private final AtomicInteger refusalsBeforeOther = new AtomicInteger();
  private final CountDownLatch held = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private final List<Socket> clients = new ArrayList<>();
  private final Server server = new Server(oneWorker());

  /** One thread accepts, one selects, one is left. */
  private static QueuedThreadPool oneWorker() {
    QueuedThreadPool threads = new QueuedThreadPool(3, 3);
    threads.setReservedThreads(0);
    return threads;
  }

  @BeforeEach
  void start() throws Exception {
    HttpConnectionFactory http = new HttpConnectionFactory(new HttpConfiguration());
    http.setInputBufferSize(READ_BYTES);
    ServerConnector connector = new ServerConnector(server, http);
    connector.setHost("127.0.0.1");
    server.addConnector(connector);
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) throws Exception {
            String path = request.getHttpURI().getPath();
            if (path.equals("/hold")) {
              held.countDown();
              released.await();
            }
            int length = Content.Source.asByteBuffer(request).remaining();
            if (path.equals("/other")) {
              refusalsBeforeOther.set(refusals.get());
            }
            served.add(path);
            Content.Sink.write(response, true, path + " " + length + "\n", callback);
            return true;
          }
        });
    server.setErrorHandler(
        (request, response, callback) -> {
          refusals.incrementAndGet();
          callback.succeeded();
          return true;
        });
    new BoundedListeners("test", 20).customize(server);
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
  void aConnectionWhoseNextRequestHasComeLetsOthersGoFirst() throws Exception {
    Socket one = connect();
    Socket other = connect();
    ask(one, "/one");
    ask(other, "/other");
    Socket holding = connect();
    ask(holding, "/first");
    served.clear();
    holding.getOutputStream().write(request("/hold"));
    assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
    // While the only worker is held, both send all their requests.
    Thread.ofVirtual().start(() -> sendAll(one, "/one"));
    Thread.ofVirtual().start(() -> sendAll(other, "/other"));
    Thread.sleep(300);
    released.countDown();
    Eventually.holds(() -> served.size() == 2 * REQUESTS + 1);
    // Their order may change from one round of the selector to the next. Without turns the run is all that one of them has sent.
    assertThat(longestRun(served)).isLessThanOrEqualTo(4);
  }

  /** No handler sees them, and their connections go on. */
  @Test
  void aConnectionWhoseRequestsAreRefusedForTheirPathsTakesTurnsToo() throws Exception {
    Socket refused = connect();
    Socket other = connect();
    ask(other, "/other");
    Socket holding = connect();
    ask(holding, "/first");
    served.clear();
    refusals.set(0);
    holding.getOutputStream().write(request("/hold"));
    assertThat(held.await(20, TimeUnit.SECONDS)).isTrue();
    Thread.ofVirtual().start(() -> sendAll(refused, "/a%2fb"));
    Thread.sleep(150);
    other.getOutputStream().write(request("/other"));
    Thread.sleep(150);
    released.countDown();
    Eventually.holds(() -> served.contains("/other"));
    // Without turns all of them come first.
    assertThat(refusalsBeforeOther.get()).isLessThanOrEqualTo(4);
    Eventually.holds(() -> refusals.get() == REQUESTS);
  }

  @Test
  void aBodyOfManyReadsArrivesWhole() throws Exception {
    int bytes = 40 * READ_BYTES;
    Socket client = connect();
    client.getOutputStream().write((head("/large", bytes) + "x".repeat(bytes)).getBytes(StandardCharsets.US_ASCII));
    assertThat(line(client)).isEqualTo("/large " + bytes);
  }

  /** The longest run of one of them until all of the other's have been served. */
  private static int longestRun(List<String> names) {
    int longest = 0;
    int run = 0;
    int end = Math.min(names.lastIndexOf("/one"), names.lastIndexOf("/other"));
    for (int i = 0; i <= end; i++) {
      run = i > 0 && names.get(i).equals(names.get(i - 1)) ? run + 1 : 1;
      longest = Math.max(longest, run);
    }
    return longest;
  }

  private Socket connect() throws IOException {
    Socket client = new Socket(InetAddress.getLoopbackAddress(), ((ServerConnector) server.getConnectors()[0]).getLocalPort());
    client.setSoTimeout(20_000);
    clients.add(client);
    return client;
  }

  private static void sendAll(Socket client, String path) {
    try {
      for (int i = 0; i < REQUESTS; i++) {
        client.getOutputStream().write(request(path));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void ask(Socket client, String path) throws IOException {
    client.getOutputStream().write(request(path));
    assertThat(line(client)).startsWith(path);
  }

  /** A request with a body, of exactly one read: after a part of the next request Jetty would give way by itself. */
  private static byte[] request(String path) {
    int body = READ_BYTES - head(path, 1000).length();
    return (head(path, body) + "x".repeat(body)).getBytes(StandardCharsets.US_ASCII);
  }

  private static String head(String path, int bodyBytes) {
    return "POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + bodyBytes + "\r\n\r\n";
  }

  /** The body of the next response. */
  private static String line(Socket client) throws IOException {
    StringBuilder read = new StringBuilder();
    while (true) {
      int next = client.getInputStream().read();
      if (next < 0) {
        return read.toString();
      }
      read.append((char) next);
      int end = read.indexOf("\r\n\r\n");
      if (end > 0 && next == '\n' && read.length() > end + 4) {
        return read.substring(end + 4).strip();
      }
    }
  }
}
