package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.idp.edge.IdpListeners;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.support.GenericApplicationContext;

/** The end of the identity provider's connections before it stops. */
class IdpDrainTest {

  private static final String GET = "GET /realms/demo/login HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n";

  @Test
  void clientsAreToldAndRunningRequestsEnd(@TempDir Path folder) throws Exception {
    Idp idp = new Idp(TestRealms.change(TestRealms.demo()).idpUrl("http://127.0.0.1:8080").realm());
    Node.Listener free = new Node.Listener(new InetSocketAddress("127.0.0.1", 0), Optional.empty());
    Node node =
        new Node(
            Set.of(Role.IDP),
            new Node.Listeners(List.of(free), List.of(), free, Optional.empty(), Optional.empty()),
            Node.Storage.VOLATILE, folder, List.of(), new Node.AuditConfig(folder, 1_000_000, Duration.ofDays(1)), 0, List.of());
    try (GenericApplicationContext parent = new GenericApplicationContext()) {
      parent.registerBean(Node.class, () -> node);
      parent.setParent(idp.context);
      parent.refresh();
      try (var server =
          new SpringApplicationBuilder(IdpApplication.class).parent(parent).web(WebApplicationType.SERVLET)
              .bannerMode(org.springframework.boot.Banner.Mode.OFF).run()) {
        drain(server.getBean(IdpListeners.class));
      }
    }
  }

  private static void drain(IdpListeners listeners) throws Exception {
    int port = listeners.ports().getFirst();
    try (Socket kept = open(port); Socket idle = open(port); Socket running = open(port)) {
      send(kept, GET);
      assertThat(response(kept)).startsWith("HTTP/1.1 200").doesNotContain("Connection: close");
      send(idle, GET);
      response(idle);
      listeners.announceEnd(true);
      send(kept, GET);
      assertThat(response(kept)).startsWith("HTTP/1.1 200").contains("Connection: close");
      assertThat(kept.getInputStream().read()).isEqualTo(-1);
      String form = "grant_type=client_credentials&client_id=nobody&client_secret=x";
      send(
          running,
          "POST /realms/demo/oauth/token HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Type: application/x-www-form-urlencoded\r\n"
              + "Content-Length: " + form.length() + "\r\n\r\n" + form.substring(0, 10));
      Thread.sleep(300);
      long begin = System.nanoTime();
      CompletableFuture<Void> drained = CompletableFuture.runAsync(() -> listeners.drain(Duration.ofSeconds(30)));
      assertThat(idle.getInputStream().read()).isEqualTo(-1);
      Thread.sleep(1500);
      assertThatThrownBy(() -> open(port)).isInstanceOf(ConnectException.class);
      assertThat(drained).isNotDone();
      send(running, form.substring(10));
      assertThat(response(running)).startsWith("HTTP/1.1 401").contains("Connection: close");
      drained.join();
      assertThat((System.nanoTime() - begin) / 1e9).isLessThan(20);
    }
  }

  private static Socket open(int port) throws IOException {
    Socket socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(20_000);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** The head; the body is read and dropped. */
  private static String response(Socket socket) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new IOException("closed after: " + head);
      }
      head.append((char) next);
    }
    String length = head.toString().replaceAll("(?s).*Content-Length: (\\d+).*", "$1");
    socket.getInputStream().readNBytes(Integer.parseInt(length));
    return head.toString();
  }
}
