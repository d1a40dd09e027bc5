package dev.gatehouse.idp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.gatehouse.common.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.AsynchronousCloseException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Connector;
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
import org.slf4j.LoggerFactory;

/** More connections than are allowed, started as Spring Boot starts it: connectors are set after the server has started. */
@Timeout(60)
class BoundedListenersTest {

  private static final int MAX = 20;
  private static final int SERVED = 16;

  private final CountDownLatch released = new CountDownLatch(1);
  private final AtomicInteger served = new AtomicInteger();
  private final BoundedListeners bounded = new BoundedListeners("test", MAX);
  private final Server server = new Server(new VirtualThreadPool());
  private final List<Socket> flood = new ArrayList<>();
  private int port;

  private void start() throws Exception {
    ServerConnector connector = new ServerConnector(server);
    connector.setHost("127.0.0.1");
    server.setConnectors(new Connector[] {connector});
    server.setHandler(
        new Handler.Abstract() {
          @Override
          public boolean handle(Request request, Response response, Callback callback) throws Exception {
            if (request.getHttpURI().getPath().equals("/slow")) {
              served.incrementAndGet();
              released.await();
            }
            Content.Sink.write(response, true, "served", callback);
            return true;
          }
        });
    bounded.customize(server);
    Connector[] connectors = server.getConnectors();
    server.setConnectors(null);
    server.start();
    server.setConnectors(connectors);
    for (Connector each : connectors) {
      each.start();
    }
    port = ((ServerConnector) connectors[0]).getLocalPort();
  }

  @AfterEach
  void stop() throws Exception {
    released.countDown();
    for (Socket socket : flood) {
      socket.close();
    }
    server.stop();
  }

  @Test
  void aFloodThatSendsNothingMakesRoomForWhoAsks() throws Exception {
    start();
    for (int i = 0; i < 40; i++) {
      connect();
    }
    for (int i = 0; i < 5; i++) {
      assertThat(ask(connect(), "/")).startsWith("HTTP/1.1 200").endsWith("served");
      assertThat(bounded.open()).isLessThanOrEqualTo(MAX + 1);
    }
  }

  /** Silent connections that have just come must not cost the place of one that asks. */
  @Test
  void aRequestOutranksYoungConnectionsThatSendNothing() throws Exception {
    start();
    for (int i = 0; i < 20; i++) {
      for (int j = 0; j < MAX; j++) {
        connect();
      }
      assertThat(ask(connect(), "/")).startsWith("HTTP/1.1 200").endsWith("served");
    }
  }

  /** Each byte would start Jetty's idle timeout again. */
  @Test
  void whoSendsAByteNowAndThenIsEndedAsWell() throws Exception {
    start();
    for (int i = 0; i < MAX; i++) {
      connect();
    }
    List<Socket> slow = List.copyOf(flood);
    Thread.ofVirtual().start(() -> drip(slow));
    for (int i = 0; i < 5; i++) {
      assertThat(ask(connect(), "/")).startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void excessIsAnsweredWhereAllOthersAreAtWork() throws Exception {
    start();
    for (int i = 0; i < SERVED; i++) {
      send(connect(), "/slow");
    }
    // A connection without a request would give way to the next one.
    Eventually.holds(() -> served.get() == SERVED);
    String refused = ask(connect(), "/");
    assertThat(refused).startsWith("HTTP/1.1 503").containsIgnoringCase("Retry-After: 2").containsIgnoringCase("Connection: close");
    assertThat(refused).endsWith("Too many connections. Please try again in a moment.\n");
    released.countDown();
    // Those that have just been served may stay for a moment.
    Eventually.holds(() -> ask(connect(), "/").startsWith("HTTP/1.1 200"));
  }

  /** Those at work go on; the kernel's queue holds the others until they may come in. */
  @Test
  void acceptingStopsAtTheBoundAndGoesOn() throws Exception {
    start();
    for (int i = 0; i < MAX; i++) {
      send(connect(), "/slow");
    }
    // Excess connections are answered and end, so the bound is reached by those that ask nothing.
    for (int i = 0; i < MAX; i++) {
      connect();
    }
    assertThat(bounded.open()).isLessThanOrEqualTo(MAX + 1);
    released.countDown();
    Eventually.holds(() -> bounded.open() < MAX);
    for (Socket socket : flood) {
      socket.close();
    }
    Eventually.holds(() -> bounded.open() == 0);
    assertThat(ask(connect(), "/")).startsWith("HTTP/1.1 200");
  }

  @Test
  void aConnectionThatIsKeptAliveServesManyRequests() throws Exception {
    start();
    Socket socket = connect();
    for (int i = 0; i < 50; i++) {
      assertThat(ask(socket, "/")).startsWith("HTTP/1.1 200");
    }
    assertThat(bounded.open()).isEqualTo(1);
    socket.close();
    Eventually.holds(() -> bounded.open() == 0);
  }

  @Test
  void whatCannotBeAcceptedIsOneLineWithoutAStackTrace() throws Exception {
    start();
    BoundedConnector connector = (BoundedConnector) server.getConnectors()[0];
    List<ILoggingEvent> lines =
        warnings(
            () -> {
              for (int i = 0; i < 3; i++) {
                assertThat(connector.handleAcceptFailure(new IOException("Too many open files"))).isTrue();
              }
            });
    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst().getFormattedMessage()).contains("Too many open files").contains("1 times");
    assertThat(lines.getFirst().getThrowableProxy()).isNull();
  }

  @Test
  void aConnectorThatStopsIsNoFailure() throws Exception {
    start();
    assertThat(ask(connect(), "/")).startsWith("HTTP/1.1 200");
    assertThat(warnings(() -> ((ServerConnector) server.getConnectors()[0]).shutdown().get())).isEmpty();
    BoundedConnector connector = (BoundedConnector) server.getConnectors()[0];
    assertThat(warnings(() -> assertThat(connector.handleAcceptFailure(new AsynchronousCloseException())).isFalse())).isEmpty();
  }

  private interface Step {
    void run() throws Exception;
  }

  private static List<ILoggingEvent> warnings(Step step) throws Exception {
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    Logger logger = (Logger) LoggerFactory.getLogger("ROOT");
    log.start();
    logger.addAppender(log);
    try {
      step.run();
    } finally {
      logger.detachAppender(log);
    }
    // Threads of tests that ran before in this process may log, too.
    return log.list.stream()
        .filter(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
        .filter(line -> line.getLoggerName().startsWith("org.eclipse.jetty") || line.getLoggerName().equals(BoundedConnector.class.getName()))
        .toList();
  }

  private void drip(List<Socket> slow) {
    try {
      while (released.getCount() > 0) {
        for (Socket socket : slow) {
          try {
            socket.getOutputStream().write('G');
          } catch (IOException e) {
            // It was ended: that is what is wanted.
          }
        }
        Thread.sleep(100);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.setSoTimeout(20_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 20_000);
    flood.add(socket);
    return socket;
  }

  private static void send(Socket socket, String path) throws IOException {
    socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  private static String ask(Socket socket, String path) throws IOException {
    send(socket, path);
    byte[] some = new byte[8192];
    StringBuilder read = new StringBuilder();
    while (read.indexOf("served") < 0 && read.indexOf("moment.\n") < 0) {
      int count = socket.getInputStream().read(some);
      if (count < 0) {
        break;
      }
      read.append(new String(some, 0, count, StandardCharsets.ISO_8859_1));
    }
    return read.toString();
  }
}
