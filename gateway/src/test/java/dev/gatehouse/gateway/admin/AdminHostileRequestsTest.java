package dev.gatehouse.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is sent to the administration's port over a raw socket: no answer shows what our code looks like inside. */
@Timeout(300)
class AdminHostileRequestsTest {

  private static final List<String> METHODS =
      List.of(
          "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PRI", "BREW", "get", "G\u0000T", "G(T", "",
          "X".repeat(9_000));

  private static final List<String> PATHS =
      List.of(
          "/actuator", "/actuator/health", "/actuator/health/readiness", "/actuator/health/liveness", "/actuator/health/stores/x",
          "/actuator/prometheus", "/actuator/env", "/actuator/heapdump", "/actuator/%ff%fe", "/actuator/health?%zz=%", "/admin/v1/realms",
          "/admin/v1/decisions", "/admin/v1/partners?realm=%ff%fe", "/admin/v1/realms/%00", "/admin/v1/realms/demo/sessions/app/%c0%af",
          "/admin/v1/realms/demo/sessions?after=%zz&most=-1", "/admin/v1/realms/demo/sessions?most=99999999999999999999", "/admin/v1/openapi.json",
          "/console", "/console/", "/console/login", "/console/login?%zz=%", "/console/realms/%ff%fe", "/console/logout",
          "*", "", "//", "http://[::1/", "/" + "a".repeat(20_000), "/admin/v1/realms/" + "%2e".repeat(500), "/\u00ff\u00fe");

  private static final List<String> FIELDS =
      List.of(
          "X-Large: " + "x".repeat(20_000), "X: y\r\n".repeat(600) + "X: y", "no colon", ": no name", "X Y: z", "X: a\r\n folded", "X: \u0000\u0001",
          "Content-Length: -1", "Content-Length: 1\r\nContent-Length: 2", "Content-Length: 99999999999999999999", "Transfer-Encoding: gzip",
          "Transfer-Encoding: chunked\r\nContent-Length: 5", "Transfer-Encoding: chunked", "Content-Encoding: gzip", "Expect: 200-maybe",
          "Content-Type: application/json; charset=nonsense", "Content-Type: text/xml", "Content-Type: multipart/form-data", "Content-Type: \u00ff",
          "Content-Type: application/x-www-form-urlencoded", "Accept: nonsense", "Accept: application/xml", "Accept: */*;q=nonsense",
          "Accept-Language: \u00ff;q=2", "Authorization: Bearer \u00ff", "Authorization: Basic %%%", "Authorization: ", "Cookie: =;;;=\u00ff",
          "Range: bytes=x-", "If-Modified-Since: never", "If-None-Match: \"", "Host: a b", "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: A",
          "Upgrade: websocket\r\nConnection: Upgrade", "Origin: \u00ff", "X-Forwarded-For: nonsense", "Forwarded: for=\"", "traceparent: 00-zz");

  private static final List<String> BODIES =
      List.of(
          "{nonsense", "[]", "null", "5", "\"x\"", "{\"lines\":5}", "\u00ff\u00fe\u0000", "[".repeat(5_000), "{\"a\":1e999999999}",
          "{\"realm\":\"\\ud800\"}", "{\"realm\":{\"a\":[null]}}", "{\"realm\":\"demo\",\"questions\":[{\"method\":7}]}", "<a/>", "zz\r\n\r\n");

  private final TestAdmin admin;

  AdminHostileRequestsTest(@TempDir Path data) {
    admin = new TestAdmin(data);
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  @Test
  void noAnswerShowsWhatIsInside() throws IOException {
    List<String> requests = new ArrayList<>();
    String key = "Authorization: Bearer " + admin.key;
    for (String path : PATHS) {
      for (String method : METHODS) {
        requests.add(request(method, path, key, ""));
      }
      requests.add(request("GET", path, "Accept: text/html", ""));
    }
    for (String field : FIELDS) {
      for (String path : List.of("/actuator/health", "/actuator/none", "/admin/v1/realms", "/admin/v1/decisions", "/console/login")) {
        String own = field.startsWith("Authorization") ? field : key + "\r\n" + field;
        requests.add(request("GET", path, own, ""));
        requests.add(request("POST", path, own, "zz\r\nnonsense"));
      }
    }
    for (String body : BODIES) {
      for (String path : List.of("/admin/v1/decisions", "/admin/v1/realms/demo/federation/links/bulk?partner=x", "/admin/v1/configuration/reload")) {
        int length = body.getBytes(StandardCharsets.ISO_8859_1).length;
        requests.add(
            request("POST", path, key + "\r\nContent-Type: application/json\r\nContent-Length: " + length, body));
      }
    }
    for (String request : requests) {
      for (boolean fails : new boolean[] {false, true}) {
        admin.storageFails.set(fails && request.contains("/actuator/health"));
        if (!fails || admin.storageFails.get()) {
          check(request, answer(request));
        }
      }
    }
    admin.storageFails.set(false);
    assertThat(answer(request("GET", "/actuator/health/liveness", key, ""))).startsWith("HTTP/1.1 200");
  }

  private static void check(String request, String answer) {
    assertThat(answer)
        .as(request.length() > 300 ? request.substring(0, 300) : request)
        .doesNotContain("at dev.gatehouse", "\tat ", "Exception", "Caused by", "org.springframework", "org.eclipse.jetty", "tools.jackson", "OutOfMemory");
    assertThat(answer).as(request).matches("(?s)|HTTP/1\\.[01] [1-5].*");
  }

  private static String request(String method, String path, String fields, String body) {
    String host = fields.startsWith("Host:") || fields.contains("\r\nHost:") ? "" : "Host: localhost\r\n";
    return method + " " + path + " HTTP/1.1\r\n" + host + fields + "\r\nConnection: close\r\n\r\n" + body;
  }

  /** What came until the server closed; the request has ended before, whatever length it named. */
  private String answer(String request) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    try (Socket socket = new Socket("127.0.0.1", admin.port())) {
      socket.setSoTimeout(60_000);
      try {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        socket.shutdownOutput();
        socket.getInputStream().transferTo(answer);
      } catch (SocketTimeoutException e) {
        throw new AssertionError("no end of the answer to " + request, e);
      } catch (IOException e) {
        // Closed while we were writing: what came is the answer.
      }
    }
    return answer.toString(StandardCharsets.UTF_8);
  }
}
