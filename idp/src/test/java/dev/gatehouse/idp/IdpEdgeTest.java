package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.idp.edge.IdpListeners;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The edge over real sockets: Jetty with a plain and a TLS listener, as a node starts it. SECURITY-CASES 46, 50, 55,
 * 56.
 */
final class IdpEdgeTest {

  private static final Idp IDP =
      new Idp(TestRealms.change(TestRealms.demo()).idpUrl("http://127.0.0.1:8080").realm());
  private static final GenericApplicationContext PARENT = new GenericApplicationContext();

  @TempDir private static Path folder;

  private static ConfigurableApplicationContext server = PARENT;
  private static int plain;
  private static int secure;

  @BeforeAll
  static void start() throws Exception {
    Node.Tls tls = new Node.Tls(folder.resolve("cert.pem"), folder.resolve("key.pem"));
    Files.writeString(tls.certificate(), pem("CERTIFICATE", SamlFixtures.idpKey().certificate().getEncoded()));
    Files.writeString(tls.privateKey(), pem("PRIVATE KEY", SamlFixtures.idpKey().privateKey().getEncoded()));
    InetSocketAddress free = new InetSocketAddress("127.0.0.1", 0);
    Node node =
        new Node(
            Set.of(Role.IDP),
            new Node.Listeners(
                List.of(new Node.Listener(free, Optional.empty()), new Node.Listener(free, Optional.of(tls))),
                List.of(),
                new Node.Listener(free, Optional.empty()),
                Optional.empty(),
                Optional.empty()),
            Node.Storage.VOLATILE,
            folder,
            List.of(new Cidr(InetAddress.ofLiteral("127.0.0.9"), 32)),
            new Node.AuditConfig(folder, 1_000_000, Duration.ofDays(1)),
            0,
            List.of());
    PARENT.registerBean(Node.class, () -> node);
    PARENT.setParent(IDP.context);
    PARENT.refresh();
    server =
        new SpringApplicationBuilder(IdpApplication.class)
            .parent(PARENT)
            .web(WebApplicationType.SERVLET)
            .bannerMode(org.springframework.boot.Banner.Mode.OFF)
            .run();
    List<Integer> ports = server.getBean(IdpListeners.class).ports();
    plain = ports.get(0);
    secure = ports.get(1);
  }

  @AfterAll
  static void stop() {
    server.close();
    PARENT.close();
  }

  /** As many as would take all places of Jetty's pool, those of whoever accepts and selects included. */
  @Test
  void bodiesThatDoNotComeHoldUpNobody() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 240; i++) {
        Socket socket = new Socket("127.0.0.1", plain);
        slow.add(socket);
        socket
            .getOutputStream()
            .write(
                ("POST /realms/demo/oauth/token HTTP/1.1\r\nHost: " + host() + "\r\nContent-Length: 100\r\n\r\ngrant_type")
                    .getBytes(StandardCharsets.US_ASCII));
      }
      assertThat(send(HttpClient.newHttpClient(), get("/realms/demo/login")).statusCode()).isEqualTo(200);
    } finally {
      for (Socket each : slow) {
        each.close();
      }
    }
  }

  @Test
  void aPersonLogsInOverRealHttp() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    HttpResponse<String> form = send(client, get("/realms/demo/login"));
    assertThat(form.statusCode()).isEqualTo(200);
    assertThat(form.headers().firstValue("Cache-Control")).contains("no-store");
    assertThat(form.headers().firstValue("Server")).isEmpty();
    String browser = cookie(form);
    Matcher csrf = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"").matcher(form.body());
    assertThat(csrf.find()).isTrue();
    HttpResponse<String> done =
        send(
            client,
            request("/realms/demo/login")
                .header("Cookie", browser)
                .header("Origin", "http://" + host())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("username=alice&password=demo&csrf=" + csrf.group(1))));
    assertThat(done.statusCode()).isEqualTo(303);
    assertThat(done.headers().firstValue("Location")).contains("/realms/demo/account");
    HttpResponse<String> account =
        send(client, get("/realms/demo/account").header("Cookie", browser + "; " + cookie(done)));
    assertThat(account.body()).contains("alice@example.com", "127.0.0.1");
  }

  @Test
  void theHttpsTwinHasCookiesOfItsOwn() throws Exception {
    String reply = overTls("GET /realms/demo/login HTTP/1.1\r\nHost: 127.0.0.1:" + secure + "\r\nConnection: close\r\n\r\n");
    assertThat(reply).startsWith("HTTP/1.1 200").contains("__Host-gh_pre.demo=", "; Secure");
  }

  @Test
  void headHasHeadersAndNoBody() throws Exception {
    HttpResponse<String> reply =
        send(
            HttpClient.newHttpClient(),
            request("/realms/demo/saml/metadata").method("HEAD", HttpRequest.BodyPublishers.noBody()));
    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(reply.headers().firstValueAsLong("Content-Length").orElse(0)).isPositive();
    assertThat(reply.body()).isEmpty();
  }

  @Test
  void whereThereIsNothingABodyChangesNothing() throws Exception {
    for (String path : List.of("/realms/demo/nothing", "/realms/nobody/login", "/elsewhere", "/realms/demo/oauth/tokens")) {
      HttpResponse<String> reply =
          send(HttpClient.newHttpClient(), request(path).POST(HttpRequest.BodyPublishers.ofString("a=b")));
      assertThat(reply.statusCode()).as(path).isEqualTo(404);
    }
    HttpResponse<String> reply =
        send(
            HttpClient.newHttpClient(),
            request("/realms/demo/oauth/jwks").POST(HttpRequest.BodyPublishers.ofString("a=b")));
    assertThat(reply.statusCode()).isEqualTo(405);
    assertThat(overTcp("POST /realms/demo/nothing HTTP/1.1\r\nHost: " + host() + "\r\nContent-Length: 99999999\r\n\r\na"))
        .as("which is not read")
        .startsWith("HTTP/1.1 404")
        .containsIgnoringCase("\r\nConnection: close\r\n");
  }

  @Test
  void case46AMegabyteOfPasswordIsNotRead() throws Exception {
    int binds = IDP.directory.binds.get();
    HttpResponse<String> reply =
        send(
            HttpClient.newHttpClient(),
            request("/realms/demo/login")
                .header("Accept", "text/html")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("username=alice&password=" + "x".repeat(1_000_000))));
    assertThat(reply.statusCode()).isEqualTo(413);
    assertThat(reply.body()).contains("Reference");
    assertThat(IDP.directory.binds).hasValue(binds);
    assertThat(overTcp(
            "POST /realms/demo/login HTTP/1.1\r\nHost: " + host() + "\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n11170\r\n" + "x".repeat(0x11170) + "\r\n0\r\n\r\n"))
        .as("without a length")
        .startsWith("HTTP/1.1 413");
  }

  /** RFC 9112, section 9.6: without a lingering close the client would see a reset. */
  @ParameterizedTest
  @ValueSource(strings = {"/realms/demo/login, 413", "/realms/demo/nothing, 404"})
  void aClientThatSendsItsWholeBodyFirstGetsTheResponse(String pathAndStatus) throws Exception {
    String[] expected = pathAndStatus.split(", ");
    String head = "POST " + expected[0] + " HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nHost: 127.0.0.1:";
    String body = "x".repeat(4 << 20);
    String withLength = "\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
    String chunked = "\r\nTransfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(body.length()) + "\r\n" + body + "\r\n0\r\n\r\n";
    for (String rest : List.of(withLength, chunked)) {
      assertThat(overTcp(head + plain + rest)).startsWith("HTTP/1.1 " + expected[1]).contains("\"reference\":\"");
      assertThat(overTls(head + secure + rest)).startsWith("HTTP/1.1 " + expected[1]).contains("\"reference\":\"");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /realms/demo/login HTTP/1.1\r\n\r\n",
        "GET /realms/demo/login HTTP/1.1\r\nHost: HOST\r\nHost: HOST\r\n\r\n",
        "GET /realms/demo/login HTTP/1.1\r\nHost: HOST\r\nHost: evil.example\r\n\r\n",
        "GET http://evil.example/realms/demo/login HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",
        "GET /realms/demo/login HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET /realms/demo/login HTTP/1.1\r\nHost: HOST@evil.example\r\n\r\n",
        "GET /realms/demo/login HTTP/1.0\r\n\r\n"
      })
  void case55AHostThatIsMissingDoubledOrUnequalIsABadRequest(String request) throws Exception {
    assertThat(overTcp(request.replace("HOST", host()))).startsWith("HTTP/1.1 400");
  }

  @Test
  void case55AnUnknownHostIsMisdirected() throws Exception {
    for (String host : List.of("evil.example", "127.0.0.1:1", "127.0.0.1", "app.localhost:" + plain, "localhost:" + plain)) {
      assertThat(overTcp("GET /realms/demo/login HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
          .as(host)
          .startsWith("HTTP/1.1 421");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/realms/demo/%6cogin",
        "/realms/demo%2flogin",
        "/realms/demo//login",
        "/realms/demo/./login",
        "/realms/other/../demo/login",
        "/realms/demo/login;x=1",
        "/realms/demo/..;/login",
        "/realms/demo\\login",
        "/realms/demo/login%00",
        "/realms/demo/%252e%252e/login"
      })
  void case56AnAmbiguousPathIsABadRequest(String path) throws Exception {
    String reply = overTcp("GET " + path + " HTTP/1.1\r\nHost: " + host() + "\r\nConnection: close\r\n\r\n");
    assertThat(reply).startsWith("HTTP/1.1 400").doesNotContainIgnoringCase("jetty").doesNotContain("Exception");
  }

  @Test
  void case50ForwardedHeadersOfStrangersAreAsIfNotSent() throws Exception {
    String forged = "X-Forwarded-Proto: https\r\nX-Forwarded-Host: evil.example\r\nX-Forwarded-For: 203.0.113.9\r\n";
    String reply =
        overTcp("GET /realms/demo/login HTTP/1.1\r\nHost: " + host() + "\r\n" + forged + "Connection: close\r\n\r\n");
    assertThat(reply).startsWith("HTTP/1.1 200").doesNotContain("Secure");
  }

  private static final Pattern ID = Pattern.compile("\r\nX-Request-Id: ([A-Za-z0-9_-]+)\r\n");

  private static String idOf(String reply) {
    List<String> ids = ID.matcher(reply).results().map(found -> found.group(1)).toList();
    assertThat(ids).as(reply).hasSize(1);
    return ids.getFirst();
  }

  @Test
  void theReferenceOfAnErrorIsTheIdOfItsRequest() throws Exception {
    String end = " HTTP/1.1\r\nHost: " + host() + "\r\nX-Request-Id: forged\r\nConnection: close\r\n\r\n";
    String notFound = overTcp("GET /realms/demo/nothing" + end);
    assertThat(idOf(notFound)).matches("[a-z0-9]{12}");
    assertThat(notFound).contains("\"reference\":\"" + idOf(notFound) + "\"");
    // Refused by an endpoint, which records it.
    String refused = overTcp("GET /realms/demo/saml/sso?SAMLRequest=%21" + end);
    assertThat(refused).startsWith("HTTP/1.1 4").contains("\"reference\":\"" + idOf(refused) + "\"").doesNotContain("forged");
    assertThat(idOf(overTcp("GET /realms/demo/login" + end))).isNotEqualTo(idOf(refused));
  }

  @Test
  void theIdOfATrustedProxyCounts() throws Exception {
    for (String[] sent : new String[][] {{"id-of_proxy", "id-of_proxy"}, {"a b", ""}, {"<b>", ""}, {"x".repeat(65), ""}}) {
      try (Socket proxy = new Socket("127.0.0.1", plain, InetAddress.ofLiteral("127.0.0.9"), 0)) {
        String reply =
            exchange(
                proxy,
                "GET /realms/demo/nothing HTTP/1.1\r\nHost: " + host() + "\r\nX-Request-Id: " + sent[0]
                    + "\r\nConnection: close\r\n\r\n");
        assertThat(idOf(reply)).matches(sent[1].isEmpty() ? "[a-z0-9]{12}" : sent[1]);
        assertThat(reply).contains("\"reference\":\"" + idOf(reply) + "\"");
      }
    }
  }

  @Test
  void pagesAreTheOnlyAnswersAndUnknownOnesSaySo() throws Exception {
    HttpResponse<String> reply = send(HttpClient.newHttpClient(), get("/").header("Accept", "text/html"));
    assertThat(reply.statusCode()).isEqualTo(404);
    assertThat(reply.body()).contains("no such page");
    for (String method : List.of("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "PROPFIND")) {
      assertThat(overTcp(method + " /realms/demo/login HTTP/1.1\r\nHost: " + host() + "\r\nConnection: close\r\n\r\n"))
          .as(method)
          .startsWith("HTTP/1.1 405")
          .contains("Allow: GET, HEAD, POST");
    }
  }

  private static HttpRequest.Builder get(String path) {
    return request(path).header("User-Agent", "Test").GET();
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + plain + path)).timeout(Duration.ofSeconds(20));
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest.Builder request) throws Exception {
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String host() {
    return "127.0.0.1:" + plain;
  }

  private static String cookie(HttpResponse<String> reply) {
    String set = reply.headers().firstValue("Set-Cookie").orElseThrow();
    return set.substring(0, set.indexOf(';'));
  }

  private static String overTcp(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", plain)) {
      return exchange(socket, request);
    }
  }

  private static String overTls(String request) throws Exception {
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry("idp", SamlFixtures.idpKey().certificate());
    TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", secure)) {
      return exchange(socket, request);
    }
  }

  /** Reads until the server closes, or until nothing more arrives for a second. */
  private static String exchange(Socket socket, String request) throws IOException {
    socket.setSoTimeout(20_000);
    OutputStream out = socket.getOutputStream();
    out.write(request.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
    java.io.ByteArrayOutputStream reply = new java.io.ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    try {
      for (int n = socket.getInputStream().read(buffer); n >= 0; n = socket.getInputStream().read(buffer)) {
        reply.write(buffer, 0, n);
      }
    } catch (java.net.SocketTimeoutException e) {
      // The connection stays open: the bytes so far are the reply.
    }
    return reply.toString(StandardCharsets.UTF_8);
  }

  private static String pem(String type, byte[] der) {
    return "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + type + "-----\n";
  }
}
