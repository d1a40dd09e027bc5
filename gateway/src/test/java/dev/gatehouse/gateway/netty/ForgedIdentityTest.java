package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.AccessDenied;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.gateway.netty.RawApp.Received;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * SECURITY-CASES 48, 50 and 63 as attacks, besides what {@link IdentityTest} (48 to 51), {@link InjectionTest} (48 and 51
 * for queries, cookies and tokens), {@link AccessLogTest} (63) and RequestFieldsFilterTest (48 and 49 by generated
 * spellings) assert.
 */
@Timeout(60)
class ForgedIdentityTest {

  private static final String OK = RawApp.ok("ok");

  /** Case 48: an app that trims or folds names would read these as ours. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Remote-User : forged", "Remote-User\t: forged", " Remote-User: forged", "X: a\r\n Remote-User: forged", "Remote-User\0: forged",
        "Remote-User\u00a0: forged", "Remote\u2010User: forged", "Remote-User\r: forged", ": forged", "Remote User: forged"
      })
  void aNameWithWhiteSpaceOrUnreadableIsNoRequest(String line) throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/", line).read().status()).isEqualTo(400);
      assertThat(client.isClosed()).isTrue();
      assertThat(gateway.denials()).hasSize(1).allMatch(List.of("FIELD_NAME", "FOLDED_FIELD", "FIELD_VALUE", "LINE_END", "HEAD")::contains);
      assertThat(app.received()).isEmpty();
    }
  }

  /** Case 48: doubled, in all cases at once, before and behind a real session. */
  @Test
  void doubledNamesInEverySpellingLeaveOurOwnFieldAlone() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of("staff"));
      client.get(
          "/page", "Remote-User: forged", "REMOTE_USER: forged", "remote.user: forged", "Cookie: gh_app=" + alice, "Remote-User: forged",
          "rEMOTE-uSER: forged", "Remote-User:", "Remote--User: kept?", "Remote-User-: forged", "X-Identity: forged");
      assertThat(client.read().status()).isEqualTo(200);
      Received request = app.only();
      assertThat(request.head()).doesNotContain("forged");
      assertThat(request.head().lines().filter(l -> l.toLowerCase(Locale.ROOT).startsWith("remote-user"))).containsExactly("Remote-User: alice");
    }
  }

  /** Case 50: a client is no proxy, whatever it says. */
  @Test
  void withoutTrustedProxiesForwardingFieldsAreOursAlone() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get(
          "/public/", "X-Forwarded-For: 6.6.6.6", "X-Forwarded-Proto: https", "X-Forwarded-Host: evil.example", "X-Forwarded-Port: 6",
          "X-Forwarded-Prefix: /evil", "X-Forwarded-Uri: /manager/", "X-Forwarded-Method: PUT", "X-Original-URL: /manager/",
          "X-Rewrite-URL: /manager/", "X-Real-IP: 6.6.6.6", "Forwarded: for=6.6.6.6;host=evil.example", "X_Forwarded_For: 6.6.6.6");
      assertThat(client.read().status()).isEqualTo(200);
      Received request = app.only();
      assertThat(request.head().replaceFirst("X-Request-Id: [a-z0-9]{12}$", "X-Request-Id: ID"))
          .isEqualTo(
              "GET /public/ HTTP/1.1\r\nHost: app.localhost\r\nX-Forwarded-For: 127.0.0.1\r\nX-Forwarded-Proto: http\r\n"
                  + "X-Forwarded-Host: app.localhost\r\nX-Forwarded-Port: 80\r\n"
                  + "Forwarded: for=127.0.0.1;host=\"app.localhost\";proto=http\r\n"
                  + "Via: 1.1 gatehouse\r\nX-Request-Id: ID");
    }
  }

  /** Case 72: what other proxies say of a client's certificate and address, and of what it really asks for. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Client-Cert", "Client-Cert-Chain", "CLIENT_CERT", "X-Client-Cert", "X-Client-Cert-Leaf", "X-Client-DN", "X-Client-Verify",
        "X-Forwarded-Client-Cert", "X-SSL-Cert", "X-SSL-Client-S-DN", "SSL_CLIENT_S_DN", "SSL-Client-Verify", "X-ARR-ClientCert",
        "X-Amzn-Mtls-Clientcert", "True-Client-IP", "X-Client-IP", "Client-IP", "X-Real-IP", "X-Cluster-Client-IP", "CF-Connecting-IP",
        "CF-Connecting-IPv6", "CF-IPCountry", "Fastly-Client-IP", "Fly-Client-IP", "X-Azure-ClientIP", "X-Appengine-User-IP",
        "WL-Proxy-Client-IP", "WL-Proxy-Client-Cert", "Proxy-Client-IP", "X-ProxyUser-Ip", "X-Originating-IP", "X-Forwarded", "Forwarded-For",
        "X-Forward-For", "X-Host", "X-Original-Host", "X-Original-URL", "X-Original-Method", "X-Original-Forwarded-For", "X-Rewrite-URL",
        "X-Envoy-Original-Path", "X-Envoy-External-Address", "X-Envoy-Peer-Metadata", "X-Override-URL", "X-HTTP-Host-Override",
        "X-HTTP-Method-Override", "X-Accel-Mapping", "X-Sendfile-Type", "X-Middleware-Subrequest", "X-Middleware-Subrequest-Id", "X_Middleware_Rewrite",
        "X-Middleware-Next", "X-Middleware-Request-Cookie", "X-Middleware-Override-Headers", "X-Invoke-Path", "X-Matched-Path",
        "Front-End-Https", "X-Url-Scheme",
        "X-Consumer-Username", "X-Goog-IAP-JWT-Assertion", "Cf-Access-Authenticated-User-Email", "X-MS-CLIENT-PRINCIPAL",
        "X-Amzn-Oidc-Identity", "OIDC_CLAIM_sub", "Shib-Session-ID", "MELLON_NAME_ID"
      })
  void whatOnlyAProxyMaySayReachesNoApp(String name) throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client
          .get("/public/", name + ": forged", "Client-Version: kept", "X-Https-Everywhere: kept", "x-middleware-prefetch: 1")
          .read();
      assertThat(app.only().head())
          .doesNotContain("forged")
          .contains("Client-Version: kept", "X-Https-Everywhere: kept", "x-middleware-prefetch: 1");
    }
  }

  /** Case 50: what a trusted proxy did not write is not believed, and what it wrote twice or wrongly is no address. */
  @ParameterizedTest
  @CsvSource({
    "'X-Forwarded-Host: app.localhost, evil', 421",
    "'X-Forwarded-Host: evil/', 400",
    "'X-Forwarded-Host: app.localhost:0', 400",
    "'X-Forwarded-Proto: http, gopher', 400",
    "'X-Forwarded-Port: 99999', 400",
    "'X-Forwarded-Host: ', 400",
  })
  void fromATrustedProxyOnlyAnOriginOfOursIsServed(String line, int status) throws IOException {
    Cidr loopback = new Cidr(InetAddress.ofLiteral("127.0.0.0"), 8);
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.trusting(app, loopback);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/public/", line).read().status()).isEqualTo(status);
      assertThat(app.received()).isEmpty();
    }
  }

  /** Case 50: the app gets the path that was decided about, and no other reading of it. */
  @ParameterizedTest
  @CsvSource({
    "/public/../page, /page",
    "/x/%2e%2e/page, /page",
    "//page//a, /page/a",
    "/%70age, /page",
    "/page/./a, /page/a",
    "/caf%c3%a9, /caf%C3%A9",
    "/a;b=c/d, /a;b=c/d",
  })
  void whatIsAuthorisedIsExactlyWhatIsForwarded(String sent, String forwarded) throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      client.get(sent + "?q=/../x", "X-Original-URL: /manager/", "X-HTTP-Method-Override: DELETE", "Cookie: gh_app=" + alice);
      assertThat(client.read().status()).isEqualTo(200);
      assertThat(app.only().requestLine()).isEqualTo("GET " + forwarded + "?q=/../x HTTP/1.1");
      assertThat(client.get(sent).read().status()).as("and nobody gets there without a session").isEqualTo(303);
    }
  }

  /** Case 63: such a name is told to nobody; that it is escaped in the audit log JsonLinesAuditLogTest shows. */
  @ParameterizedTest
  @ValueSource(strings = {"a\r\nRemote-Roles: manager", "a\u001b[2J", "a\u0000", "a\u009b31m", "a\u007f"})
  void controlCharactersInANameReachNoApp(String name) throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String odd = gateway.sessions().open(name, List.of(), List.of());
      assertThat(client.get("/page", "Cookie: gh_app=" + odd).read().status()).isEqualTo(403);
      AccessDenied event = gateway.audit().events(AccessDenied.class).getFirst();
      assertThat(event.reason()).isEqualTo("IDENTITY_NOT_SENDABLE");
      assertThat(event.person()).isEqualTo("idp!" + name);
      assertThat(app.received()).isEmpty();
    }
  }
}
