package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.AccessDenied;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.gateway.netty.RawApp.Received;
import dev.gatehouse.gateway.netty.RawClient.Response;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions, roles, and SECURITY-CASES 48 to 51: an app believes what we tell it, so nobody else may. */
@Timeout(60)
class IdentityTest {

  private static final String OK =
      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSet-Cookie: app=1\r\nSet-Cookie: gh_app=stolen\r\n"
          + "Set-Cookie: __Host-gh_pre.demo=x\r\nSet-Cookie: = gh_app=nameless\r\nSet-Cookie: gh_app\r\n\r\n";

  @Test
  void tellsTheAppWhoIsThere() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String token =
          gateway.sessions().open("j\u00f6rg", List.of("employee"), List.of("staff", "a,b"), Map.of("mail", List.of("a@b")));
      Response response = client.get("/page", "Cookie: theme=dark; gh_app=" + token + "; lang=de").read();
      assertThat(response.status()).isEqualTo(200);
      String utf8 = new String("j\u00f6rg".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
      assertThat(app.only().has("Remote-User: " + utf8)).isTrue();
      assertThat(app.only().has("Remote-Groups: staff,a%2cb")).isTrue();
      assertThat(app.only().has("X-Mail: a@b")).isTrue();
      assertThat(app.only().has("Cookie: theme=dark; lang=de")).isTrue();
      assertThat(response.fields()).contains("Set-Cookie: app=1", "Cache-Control: private");
      assertThat(response.fields()).noneMatch(f -> f.contains("gh_"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Remote-User", "remote-user", "REMOTE-USER", "Remote_User", "REMOTE_USER", "Remote.User", "Remote-Groups",
        "Remote-Email", "Remote-Name", "X-Remote-User", "X_Remote_User", "X-Forwarded-User", "X-Forwarded-Groups",
        "X-Forwarded-Email", "X-Forwarded-Preferred-Username", "X-Identity", "x_identity", "X-IDENTITY", "X-Mail", "X_Mail",
        "X-Auth-Request-User", "X-WEBAUTH-USER", "X-authentik-username", "X-Forwarded-For", "X_Forwarded_For",
        "X-Forwarded-Host", "X-Forwarded-Proto", "X-Forwarded-Port", "X-Forwarded-Prefix", "Forwarded", "X-Real-IP",
        "X-Original-URL", "X-Rewrite-URL", "X-SSL-Client-Verify", "Proxy", "Transfer_Encoding", "Content_Length"
      })
  void stripsWhatAClientSaysOfItself(String name) throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/", name + ": forged", name + ": twice").read();
      String token = gateway.sessions().open("alice", List.of(), List.of("staff"));
      client.get("/page", name + ": forged", "Cookie: gh_app=" + token, name.toUpperCase(Locale.ROOT) + ": forged").read();
      assertThat(app.received()).hasSize(2).noneMatch(r -> r.head().contains("forged") || r.head().contains("twice"));
      assertThat(app.received().getFirst().head()).doesNotContainIgnoringCase("remote-user");
      assertThat(app.received().get(1).has("Remote-User: alice")).isTrue();
    }
  }

  @Test
  void injectedFieldsSurviveConnectionFields() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of("staff"));
      client.get(
          "/page",
          "Connection: Remote-User, X-Identity, X-Forwarded-For, Host, X-Hop",
          "Connection: keep-alive, Content-Length",
          "X-Hop: secret of the first hop",
          "TE: deflate",
          "Keep-Alive: timeout=5",
          "Proxy-Authorization: Basic eA==",
          "Cookie: gh_app=" + token);
      assertThat(client.read().status()).isEqualTo(200);
      Received request = app.only();
      assertThat(request.has("Remote-User: alice")).isTrue();
      assertThat(request.has("X-Identity: alice")).isTrue();
      assertThat(request.has("X-Forwarded-For: 127.0.0.1")).isTrue();
      assertThat(request.has("Host: app.localhost")).isTrue();
      assertThat(request.head())
          .doesNotContain("X-Hop")
          .doesNotContain("\r\nTE:")
          .doesNotContain("Keep-Alive")
          .doesNotContain("Connection")
          .doesNotContain("Proxy-Authorization");
    }
  }

  @Test
  void ourCookiesNeverReachAnAppNotEvenAPublicOne() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.get("/public/", "Cookie: gh_app=x; gh_pre.demo=y", "Cookie: a=b; __Host-gh_app=z;__Host-gh_idp.demo=1;c=d").read();
      assertThat(app.only().head()).doesNotContain("gh_");
      assertThat(app.only().has("Cookie: a=b; c=d")).isTrue();
    }
  }

  @Test
  void nobodyIsSentToTheLogin() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      Response response = client.get("/page?x=1").read();
      assertThat(response.status()).isEqualTo(303);
      assertThat(response.field("Cache-Control")).contains("no-store");
      assertThat(gateway.serviceProvider().challenged().getFirst().query()).isEqualTo("x=1");
      assertThat(client.get("/page", "Cookie: gh_app=" + "0".repeat(43)).read().status()).isEqualTo(303);
      assertThat(client.get("/page", "Cookie: gh_app=short").read().status()).isEqualTo(303);
      // The name that only https origins may use is no session on http.
      String token = gateway.sessions().open("alice", List.of(), List.of());
      assertThat(client.get("/page", "Cookie: __Host-gh_app=" + token).read().status()).isEqualTo(303);
      assertThat(app.received()).isEmpty();
    }
  }

  @Test
  void aRoleThatIsMissingDeniesAndIsAudited() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of("employee"), List.of());
      String bob = gateway.sessions().open("bob", List.of("employee", "manager"), List.of());
      Response denied = client.get("/manager/", "Cookie: gh_app=" + alice).read();
      assertThat(denied.status()).isEqualTo(403);
      AccessDenied event = gateway.audit().events(AccessDenied.class).getFirst();
      assertThat(event.person()).isEqualTo("idp!alice");
      assertThat(event.route()).isEqualTo("manager");
      assertThat(event.reason()).isEqualTo("ROLE_MISSING");
      assertThat(denied.body()).contains("\"error\":\"denied\"", event.context().reference().orElseThrow());
      // The same connection, another person.
      assertThat(client.get("/manager/", "Cookie: gh_app=" + bob).read().status()).isEqualTo(200);
      assertThat(client.get("/manager/", "Cookie: gh_app=" + alice).read().status()).isEqualTo(403);
      assertThat(app.received()).hasSize(1);
      assertThat(app.only().has("Remote-User: bob")).isTrue();
    }
  }

  @Test
  void aSessionThatEndedCountsNoMoreAtTheNextRequest() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      assertThat(client.get("/page", "Cookie: gh_app=" + token).read().status()).isEqualTo(200);
      assertThat(client.get("/page", "Cookie: gh_app=" + token).read().status()).isEqualTo(200);
      assertThat(gateway.sessions().loads()).isEqualTo(1);
      gateway.sessions().end(token);
      assertThat(client.get("/page", "Cookie: gh_app=" + token).read().status()).isEqualTo(303);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nX-Admin: 1", "a\nb", " alice", "alice ", "a\0", "", "a\ud800"})
  void aNameThatWouldArriveChangedIsNotSent(String user) throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String token = gateway.sessions().open(user, List.of(), List.of());
      assertThat(client.get("/page", "Cookie: gh_app=" + token).read().status()).isEqualTo(403);
      assertThat(gateway.denials()).containsExactly("IDENTITY_NOT_SENDABLE");
      assertThat(app.received()).isEmpty();
    }
  }

  @Test
  void sharedCachesKeepNothingOfAKnownPersons() throws IOException {
    try (RawApp app =
            RawApp.answering(
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nCache-Control: public, max-age=60, s-maxage=600\r\n"
                    + "CDN-Cache-Control: max-age=600\r\nSurrogate-Control: max-age=600\r\n\r\n");
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      Response known = client.get("/page", "Cookie: gh_app=" + token).read();
      assertThat(known.fields()).containsExactly("Cache-Control: private, max-age=60", "Via: 1.1 gatehouse", "Content-Length: 0");
      Response open = client.get("/public/").read();
      assertThat(open.field("Cache-Control")).contains("public, max-age=60, s-maxage=600");
    }
  }

  @Test
  void aTrustedProxyTellsTheClientAndTheOrigin() throws IOException {
    Cidr loopback = new Cidr(InetAddress.ofLiteral("127.0.0.0"), 8);
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.trusting(app, loopback);
        RawClient client = gateway.connect()) {
      client.get(
          "/public/",
          "X-Forwarded-For: 6.6.6.6, 203.0.113.9, 127.0.0.2",
          "X-Forwarded-Proto: https",
          "X-Forwarded-User: forged");
      assertThat(client.read().status()).isEqualTo(200);
      assertThat(app.only().has("X-Forwarded-For: 203.0.113.9, 127.0.0.2, 127.0.0.1")).isTrue();
      assertThat(app.only().has("X-Forwarded-Proto: https")).isTrue();
      assertThat(app.only().has("X-Forwarded-Port: 443")).isTrue();
      assertThat(app.only().head()).doesNotContain("forged").doesNotContain("6.6.6.6");
      // On https only the cookie with the prefix counts.
      String token = gateway.sessions().open("alice", List.of(), List.of());
      client.get("/page", "X-Forwarded-Proto: https", "Cookie: gh_app=" + token);
      assertThat(client.read().status()).isEqualTo(303);
      client.get("/page", "X-Forwarded-Proto: https", "Cookie: __Host-gh_app=" + token);
      assertThat(client.read().status()).isEqualTo(200);
      assertThat(client.get("/public/", "X-Forwarded-Host: evil").read().status()).isEqualTo(421);
      assertThat(client.get("/public/", "X-Forwarded-Proto: gopher").read().status()).isEqualTo(400);
    }
  }

  @Test
  void nothingOfOursIsEverProxied() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.send("POST /.gatehouse/saml/acs HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 3\r\n\r\na=b");
      Response acs = client.read();
      assertThat(acs.body()).isEqualTo("sp POST /.gatehouse/saml/acs 3");
      assertThat(acs.field("Set-Cookie")).contains("gh_app=x; Path=/");
      assertThat(client.get("/public/../.gatehouse/x").read().body()).isEqualTo("sp GET /.gatehouse/x 0");
      assertThat(client.get("/%2egatehouse/x").read().body()).isEqualTo("sp GET /.gatehouse/x 0");
      assertThat(client.get("/.gatehouse").read().status()).isEqualTo(404);
      assertThat(client.get("/.gatehouse;a/x").read().status()).isEqualTo(404);
      assertThat(client.get("/.gatehouse/fault").read().status()).isEqualTo(500);
      assertThat(client.get("/.gatehouse/error").read().status()).isEqualTo(500);
      client.send("POST /.gatehouse/x HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 600000\r\n\r\n");
      assertThat(client.read().status()).isEqualTo(413);
      assertThat(client.isClosed()).isTrue();
      assertThat(app.received()).isEmpty();
    }
  }

  @Test
  void whereSingleNodesAreAddressedThereIsNoApp() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      for (String node : List.of("app.localhost:99", "node.localhost")) {
        client.send("GET /public/ HTTP/1.1\r\nHost: " + node + "\r\n\r\n");
        assertThat(client.read().status()).isEqualTo(404);
        client.send("GET /.gatehouse/saml/artifact HTTP/1.1\r\nHost: " + node + "\r\n\r\n");
        assertThat(client.read().body()).isEqualTo("sp GET /.gatehouse/saml/artifact 0");
      }
      assertThat(gateway.denials()).containsExactly("ROUTE_NOT_FOUND", "ROUTE_NOT_FOUND");
      assertThat(app.received()).isEmpty();
    }
  }

  @Test
  void theRoleSpAloneStandsBeforeNoApp() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.withoutApps(app);
        RawClient client = gateway.connect()) {
      assertThat(client.get("/.gatehouse/x").read().status()).isEqualTo(200);
      assertThat(client.get("/public/").read().status()).isEqualTo(404);
      assertThat(gateway.denials()).containsExactly("ROUTE_NOT_FOUND");
      assertThat(app.received()).isEmpty();
    }
  }

  @Test
  void aPostThatMetALoginIsRepeatedOnceThroughEveryRule() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.send(
          "POST /form/save?id=1 HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 5\r\n\r\nhello");
      assertThat(client.read().body()).isEqualTo("kept");
      String confirm =
          "POST /.gatehouse/replay HTTP/1.1\r\nHost: app.localhost\r\nContent-Length: 1\r\n%s\r\nx";
      String token = gateway.sessions().open("alice", List.of(), List.of());
      client.send(confirm.formatted("Cookie: gh_app=" + token + "\r\nRemote-User: forged\r\n"));
      assertThat(client.read().status()).isEqualTo(200);
      Received replayed = app.only();
      assertThat(replayed.requestLine()).isEqualTo("POST /form/save?id=1 HTTP/1.1");
      assertThat(replayed.has("Content-Length: 5")).isTrue();
      assertThat(replayed.has("Remote-User: alice")).isTrue();
      assertThat(replayed.head()).doesNotContain("forged");
      client.send(confirm.formatted(""));
      assertThat(client.read().body()).isEqualTo("sp POST /.gatehouse/replay 1");
      assertThat(app.received()).hasSize(1);
    }
  }

  @Test
  void aPostThatIsTooLargeToKeepIsChallengedWithoutIt() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      client.send("POST /form/ HTTP/1.1\r\nHost: app.localhost\r\nTransfer-Encoding: chunked\r\n\r\n");
      client.send("11171\r\n" + "a".repeat(0x11171) + "\r\n0\r\n\r\n");
      assertThat(client.read().body()).isEqualTo("not kept");
      assertThat(app.received()).isEmpty();
    }
  }

  @Test
  void aStoreThatFailsIsOurFaultAndNobodysSession() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = TestGateway.before(app);
        RawClient client = gateway.connect()) {
      String token = gateway.sessions().open("alice", List.of(), List.of());
      gateway.sessions().breakDown();
      assertThat(client.get("/page", "Cookie: gh_app=" + token).read().status()).isEqualTo(500);
      assertThat(client.get("/public/").read().status()).isEqualTo(200);
      assertThat(app.received()).hasSize(1);
    }
  }
}
