package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.Role;
import dev.gatehouse.common.proxy.ProxyHeaders;
import dev.gatehouse.common.node.TrustedProxies;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.node.GatewayNodeConfig;
import dev.gatehouse.common.node.SpaceConfig;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.idp.edge.IdpListeners;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import javax.net.ssl.SSLContext;
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

/** The PROXY protocol and Forwarded at the identity provider's sockets. SECURITY-CASES 50, 80. */
class ProxyProtocolEdgeTest {

  private static final Idp IDP = new Idp(TestRealms.change(TestRealms.demo()).idpUrl("http://127.0.0.1:8080").realm());
  private static final GenericApplicationContext PARENT = new GenericApplicationContext();
  private static final SimpleMeterRegistry METERS = IDP.context.getBean(SimpleMeterRegistry.class);
  private static final String CLIENT = "PROXY TCP4 203.0.113.7 192.0.2.1 56324 443\r\n";

  @TempDir private static Path folder;

  private static ConfigurableApplicationContext server = PARENT;
  private static int plain;
  private static int secure;
  private static int direct;

  @BeforeAll
  static void start() throws Exception {
    Node.Tls tls = new Node.Tls(folder.resolve("cert.pem"), folder.resolve("key.pem"));
    Files.writeString(tls.certificate(), pem("CERTIFICATE", SamlFixtures.idpKey().certificate().getEncoded()));
    Files.writeString(tls.privateKey(), pem("PRIVATE KEY", SamlFixtures.idpKey().privateKey().getEncoded()));
    InetSocketAddress free = new InetSocketAddress("127.0.0.1", 0);
    List<Node.Listener> listeners =
        List.of(
            new Node.Listener(free, Optional.empty(), List.of(), Optional.empty(), true),
            new Node.Listener(free, Optional.of(tls), List.of(), Optional.empty(), true),
            new Node.Listener(free, Optional.empty()));
    TrustedProxies proxies =
        new TrustedProxies(List.of(new Cidr(InetAddress.ofLiteral("127.0.0.9"), 32)), TrustedProxies.ForwardedFields.FORWARDED);
    Node node =
        new Node(
            Set.of(Role.IDP),
            new Node.Listeners(listeners, List.of(), new Node.Listener(free, Optional.empty()), Optional.empty(), Optional.empty()),
            new Node.State(Node.Storage.VOLATILE, folder, Optional.empty()),
            proxies,
            new Node.AuditConfig(folder, 1_000_000, Duration.ofDays(1)),
            OptionalInt.of(0),
            new Node.Outbound(List.of(), List.of()),
            GatewayNodeConfig.USUAL,
            SpaceConfig.USUAL);
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
    direct = ports.get(2);
  }

  @AfterAll
  static void stop() {
    server.close();
    PARENT.close();
  }

  private static double refused(String reason) {
    return METERS.get("gatehouse.proxy.protocol.refused").tag("edge", "idp").tag("reason", reason).functionCounter().count();
  }

  /** The address stands in the audit event of a login that fails. */
  private static String addressOfLogin(byte[] header, int port, String host, String... fields) throws IOException {
    IDP.audit.clear();
    exchange(balancer(port), header, login(host, fields));
    return IDP.audit.events().getLast().toString();
  }

  private static String login(String host, String... fields) {
    String body = "grant_type=client_credentials&client_id=nobody&client_secret=x";
    return "POST /realms/demo/oauth/token HTTP/1.1\r\nHost: " + host
        + "\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        + String.join("", List.of(fields).stream().map(f -> f + "\r\n").toList())
        + "Content-Length: " + body.length() + "\r\n\r\n" + body;
  }

  @Test
  void theAddressOfTheHeaderIsTheClients() throws Exception {
    assertThat(addressOfLogin(ProxyHeaders.line(CLIENT.strip()), plain, "127.0.0.1:8080")).contains("203.0.113.7");
    assertThat(addressOfLogin(ProxyHeaders.of("2001:db8::7"), plain, "127.0.0.1:8080")).contains("2001:db8:0:0:0:0:0:7");
  }

  @Test
  void itsFieldsDoNotCount() throws Exception {
    assertThat(addressOfLogin(ProxyHeaders.of("203.0.113.7"), plain, "127.0.0.1:8080", "Forwarded: for=198.51.100.1"))
        .contains("203.0.113.7")
        .doesNotContain("198.51.100.1");
    assertThat(addressOfLogin(ProxyHeaders.header(0x20, 0, new byte[0]), plain, "127.0.0.1:8080", "Forwarded: for=198.51.100.1"))
        .contains("127.0.0.9")
        .doesNotContain("198.51.100.1");
  }

  @Test
  void theHeaderComesBeforeTls() throws Exception {
    KeyStore trust = KeyStore.getInstance("PKCS12");
    trust.load(null, null);
    trust.setCertificateEntry("idp", SamlFixtures.idpKey().certificate());
    TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trust);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    IDP.audit.clear();
    Socket socket = balancer(secure);
    socket.getOutputStream().write(ProxyHeaders.of("203.0.113.7"));
    Socket tls = context.getSocketFactory().createSocket(socket, "127.0.0.1", secure, true);
    assertThat(exchange(tls, new byte[0], login("127.0.0.1:" + secure))).startsWith("HTTP/1.1 401");
    assertThat(IDP.audit.events().getLast().toString()).contains("203.0.113.7");
  }

  @Test
  void tlsThatEndedAtTheBalancerCounts() throws Exception {
    byte[] header = ProxyHeaders.of("203.0.113.7", ProxyHeaders.TLS);
    String request = "GET /realms/demo/login HTTP/1.1\r\nHost: 127.0.0.1:" + plain + "\r\nConnection: close\r\n\r\n";
    assertThat(exchange(balancer(plain), header, request)).startsWith("HTTP/1.1 200").contains("__Host-gh_pre.demo=", "; Secure");
  }

  @Test
  void theHeaderMayComeByteByByte() throws Exception {
    try (Socket socket = balancer(plain)) {
      socket.setTcpNoDelay(true);
      for (byte b : ProxyHeaders.of("203.0.113.7")) {
        socket.getOutputStream().write(b);
        Thread.sleep(2);
      }
      assertThat(exchange(socket, new byte[0], login("127.0.0.1:8080"))).startsWith("HTTP/1.1 401");
    }
  }

  /** SECURITY-CASES 80. */
  @Test
  void case80WhoIsNotTheBalancerIsClosed() throws Exception {
    double before = refused("untrusted");
    assertThat(exchange(new Socket("127.0.0.1", plain), ProxyHeaders.of("203.0.113.7"), login("127.0.0.1:8080"))).isEmpty();
    assertThat(refused("untrusted")).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"missing|GET / HTTP/1.1\r\n", "malformed|PROXY TCP4 203.0.113.7\r\n", "unsupported|PROXY UDP4 1 2 3 4\r\n"})
  void whatIsNoHeaderIsClosed(String reasonAndBytes) throws Exception {
    String reason = reasonAndBytes.substring(0, reasonAndBytes.indexOf('|'));
    double before = refused(reason);
    assertThat(exchange(balancer(plain), new byte[0], reasonAndBytes.substring(reason.length() + 1))).isEmpty();
    assertThat(refused(reason)).isEqualTo(before + 1);
  }

  @Test
  void aSlowHeaderIsClosed() throws Exception {
    long begin = System.nanoTime();
    assertThat(exchange(balancer(plain), new byte[0], "PROXY TCP4 ")).isEmpty();
    assertThat((System.nanoTime() - begin) / 1e9).isBetween(4.5, 9.0);
    assertThat(refused("too-slow")).isEqualTo(1);
  }

  @Test
  void aListenerWithoutTheProtocolReadsForwardedOfItsProxies() throws Exception {
    String chain = "Forwarded: for=198.51.100.9, for=203.0.113.8;host=\"127.0.0.1:8080\";proto=http";
    assertThat(addressOfLogin(new byte[0], direct, "inner.example", chain)).contains("203.0.113.8").doesNotContain("198.51.100.9");
    assertThat(exchange(balancer(direct), new byte[0], login("127.0.0.1:8080", "Forwarded: for=::1"))).startsWith("HTTP/1.1 400");
    assertThat(addressOfLogin(new byte[0], direct, "127.0.0.1:8080", "X-Forwarded-For: 198.51.100.9")).contains("127.0.0.9");
    assertThat(exchange(new Socket("127.0.0.1", direct), new byte[0], login("inner.example", chain))).startsWith("HTTP/1.1 421");
  }

  private static Socket balancer(int port) throws IOException {
    return new Socket("127.0.0.1", port, InetAddress.ofLiteral("127.0.0.9"), 0);
  }

  /** Reads until the server closes. */
  private static String exchange(Socket socket, byte[] header, String request) throws IOException {
    try (socket) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(ProxyHeaders.concat(header, request.getBytes(StandardCharsets.ISO_8859_1)));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    } catch (java.net.SocketException e) {
      return "";
    }
  }

  private static String pem(String type, byte[] der) {
    return "-----BEGIN " + type + "-----\n" + Base64.getMimeEncoder().encodeToString(der) + "\n-----END " + type + "-----\n";
  }
}
