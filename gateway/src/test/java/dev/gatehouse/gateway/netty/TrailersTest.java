package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.netty.RawHttp2.Response;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fields behind bodies, both ways and over both versions (RFC 9110, section 6.5; SECURITY-CASES 48, 53). */
@Timeout(60)
class TrailersTest {

  /** Some that are for everybody, and all kinds that are not to be believed behind a body. */
  private static final String TRAILERS =
      "X-Checksum: abc\r\n"
          + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\nHost: evil\r\nConnection: close\r\nTrailer: x\r\n"
          + "Cookie: gh_app=forged\r\nSet-Cookie: a=b\r\nAuthorization: Basic eDp5\r\nCache-Control: public\r\n"
          + "X-Forwarded-For: 1.2.3.4\r\nX-HTTP-Method-Override: DELETE\r\nContent-Type: text/html\r\nLocation: /\r\n"
          + "Grpc-Status: 0\r\n";

  private static final String IDENTITIES = "Remote-User: root\r\nremote_user: root\r\nX-Identity: root\r\nX-Mail: r@x\r\n";

  private final List<String> behindRequests = new CopyOnWriteArrayList<>();

  /** Reads a chunked body with its trailers, and answers with a chunked body and trailers. */
  private RawApp app() throws IOException {
    return new RawApp(
        (request, in, out, socket) -> {
          if (request.head().contains("Transfer-Encoding: chunked")) {
            String body = untilEmptyLine(in);
            behindRequests.add(body.substring(body.indexOf("\r\n0\r\n") + 5));
          }
          out.write(
              ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n" + TRAILERS + "\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
        });
  }

  private static String untilEmptyLine(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    while (!bytes.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new EOFException("the gateway gave the request up");
      }
      bytes.write(next);
    }
    return bytes.toString(StandardCharsets.US_ASCII);
  }

  @Test
  void anAppsTrailersReachWhoAsksForThem() throws IOException {
    try (RawApp app = app();
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/", "TE: trailers", "Connection: TE").read().body()).isEqualTo("hello");
      assertThat(client.trailers()).containsExactly("X-Checksum: abc", "Grpc-Status: 0");
      assertThat(app.only().has("TE: trailers")).isTrue();
      assertThat(app.only().has("Connection: TE")).isTrue();
      // The connection goes on.
      assertThat(client.get("/public/").read().body()).isEqualTo("hello");
    }
  }

  @Test
  void whoDoesNotAskGetsNone() throws IOException {
    try (RawApp app = app();
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect();
        RawHttp2 second = RawHttp2.connect(gateway.port())) {
      assertThat(client.get("/public/").read().body()).isEqualTo("hello");
      assertThat(client.trailers()).isEmpty();
      assertThat(app.only().head()).doesNotContain("TE:").doesNotContain("Connection:");
      Response response = second.get(1, "/public/").response(1);
      assertThat(response.body()).isEqualTo("hello");
      assertThat(response.trailers()).isEmpty();
    }
  }

  @Test
  void anAppsTrailersReachWhoAsksForThemOverHttp2() throws IOException {
    try (RawApp app = app();
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      Response response = client.get(1, "/public/", "te", "trailers").response(1);
      assertThat(response.body()).isEqualTo("hello");
      assertThat(response.trailers()).containsExactly("x-checksum: abc", "grpc-status: 0");
    }
  }

  @Test
  void aClientsTrailersReachTheAppWithoutWhatItMayNotSay() throws IOException {
    try (RawApp app = app();
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.send(
          "POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nTransfer-Encoding: chunked\r\nTrailer: X-Checksum\r\n\r\n"
              + "3\r\nabc\r\n0\r\n" + TRAILERS + IDENTITIES + "\r\n");
      assertThat(client.read().status()).isEqualTo(200);
      assertThat(behindRequests).containsExactly("X-Checksum: abc\r\nGrpc-Status: 0\r\n\r\n");
    }
  }

  @Test
  void aClientsTrailersReachTheAppOverHttp2() throws Exception {
    try (RawApp app = app();
        TestGateway gateway = TestGateway.before(app);
        RawHttp2 client = RawHttp2.connect(gateway.port())) {
      client.headers(1, false, RawHttp2.request("POST", "/public/")).data(1, false, "abc");
      client.headers(1, true, "x-checksum", "abc", "remote-user", "root", "authorization", "Basic x", "grpc-status", "0");
      assertThat(client.response(1).status()).isEqualTo(200);
      assertThat(behindRequests).containsExactly("x-checksum: abc\r\ngrpc-status: 0\r\n\r\n");
      refused(client, 3, ":path", "/manager/");
      refused(client, 5, "X-Upper", "y");
      refused(client, 7, "transfer-encoding", "chunked");
      refused(client, 9, "x", "a\r\nb: c");
      for (int i = 0; i < 200 && gateway.denials().size() < 4; i++) {
        Thread.sleep(10);
      }
      assertThat(gateway.denials())
          .containsExactlyInAnyOrder("PSEUDO_FIELD", "FIELD_NAME", "CONNECTION_FIELD", "FIELD_VALUE");
    }
  }

  private static void refused(RawHttp2 client, int stream, String name, String value) throws IOException {
    client.headers(stream, false, RawHttp2.request("POST", "/public/")).headers(stream, true, name, value);
    assertThat(client.response(stream).reset()).contains(RawHttp2.PROTOCOL_ERROR);
  }

  @Test
  void trailersThatAreTooManyAreMalformed() throws IOException {
    try (RawApp app = app();
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.send(
          "POST /public/ HTTP/1.1\r\nHost: app.localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n"
              + "X: y\r\n".repeat(40) + "\r\n");
      assertThat(client.read().status()).isEqualTo(400);
      assertThat(gateway.denials()).containsExactly("TRAILER");
      assertThat(client.isClosed()).isTrue();
    }
  }
}
