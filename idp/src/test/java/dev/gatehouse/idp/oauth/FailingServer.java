package dev.gatehouse.idp.oauth;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;

/** A client's server in each way of failing, with our error text for it. */
public final class FailingServer implements AutoCloseable {

  private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0), 0);

  /** Answers in plain text to every connection. */
  private final ServerSocket noTls = new ServerSocket(0, 10, InetAddress.ofLiteral("127.0.0.1"));

  public FailingServer() throws IOException {
    Thread.ofVirtual().start(this::answerInTheClear);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          byte[] body = path.equals("/large") ? new byte[300 << 10] : "hello".getBytes(StandardCharsets.UTF_8);
          if (path.equals("/slow")) {
            // Longer than any timeout; the test ends before.
            try {
              Thread.sleep(60_000);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          exchange.sendResponseHeaders(path.equals("/gone") ? 404 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  /** Addresses, and the cause named in an answer to the client. */
  public Map<String, String> causes() {
    int port = server.getAddress().getPort();
    Map<String, String> causes = new LinkedHashMap<>();
    causes.put("http://127.0.0.1:" + port + "/gone", "it answered with status 404");
    causes.put("http://127.0.0.1:" + port + "/large", "its answer is too large");
    causes.put("http://127.0.0.1:" + port + "/slow", "it did not answer completely in time");
    causes.put("https://127.0.0.1:" + noTls.getLocalPort() + "/", "its TLS certificate or handshake was not accepted");
    causes.put("https://10.0.0.1/", "its address is not one that may be called: not public, or not https");
    causes.put("https://nobody.invalid/", "its host name has no address");
    causes.put("http://127.0.0.1:1/", "no connection to it, or it broke");
    return causes;
  }

  /** An address whose content is not JSON. */
  public String text() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/text";
  }

  private void answerInTheClear() {
    while (!noTls.isClosed()) {
      try (Socket socket = noTls.accept()) {
        socket.getInputStream().read(new byte[4096]);
        socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        // Closed, or the client has gone.
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.stop(0);
    noTls.close();
  }
}
