package dev.gatehouse.gateway.netty;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.TokenKeys;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.InjectConfig;
import dev.gatehouse.common.realm.InjectConfig.Algorithm;
import dev.gatehouse.common.realm.InjectConfig.Basic;
import dev.gatehouse.common.realm.InjectConfig.Jwt;
import dev.gatehouse.common.realm.InjectConfig.Password;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TestRoutes;
import dev.gatehouse.gateway.netty.RawApp.Received;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Queries, cookies, HTTP Basic and tokens that tell an app who is there; SECURITY-CASES 48 and 51 for each of them. */
@Timeout(60)
class InjectionTest {

  private static final String OK = RawApp.ok("ok");

  private static TestGateway injecting(RawApp app, InjectConfig inject) {
    URI upstream = URI.create("http://127.0.0.1:" + app.port());
    return TestGateway.of(
        TestRealms.change(TestRealms.demo())
            .spUrls("http://app.localhost")
            .routes(
                TestRealms.route("public", "/public/", upstream, new Access.Public()),
                TestRoutes.withInject(TestRealms.route("app", "/", upstream, new Access.Protected()), inject))
            .realm());
  }

  private static InjectConfig query(Map<String, String> query) {
    return new InjectConfig(Map.of(), query, Map.of(), Optional.empty(), Optional.empty(), InjectConfig.USUAL);
  }

  private static InjectConfig cookies(Map<String, String> cookies) {
    return new InjectConfig(Map.of(), Map.of(), cookies, Optional.empty(), Optional.empty(), InjectConfig.USUAL);
  }

  private static InjectConfig basic(Password password) {
    return new InjectConfig(
        Map.of(), Map.of(), Map.of(), Optional.of(new Basic("user", password)), Optional.empty(), InjectConfig.USUAL);
  }

  private static InjectConfig jwt(Jwt jwt) {
    return new InjectConfig(
        Map.of("X-Client", "request.client"), Map.of(), Map.of(), Optional.empty(), Optional.of(jwt), InjectConfig.USUAL);
  }

  private static Jwt token(String header, Algorithm algorithm) {
    return new Jwt(
        header,
        List.of("https://app.example.org"),
        Map.of("email", "mail", "groups", "groups", "idp", "session.provider", "acr", "session.authnContext"),
        Duration.ofSeconds(60),
        algorithm);
  }

  @ParameterizedTest
  @CsvSource({
    "'/page', '/page?dept=a%2Cb%252cc&uid=j%C3%B6rg%26x'",
    "'/page?', '/page?dept=a%2Cb%252cc&uid=j%C3%B6rg%26x'",
    "'/page?a=1&b=%zz;c', '/page?a=1&b=%zz;c&dept=a%2Cb%252cc&uid=j%C3%B6rg%26x'",
  })
  void parametersAreAddedBehindTheClientsOwn(String sent, String received) throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = injecting(app, query(Map.of("uid", "user", "dept", "groups")));
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("j\u00f6rg&x", List.of(), List.of("a", "b,c"));
      assertThat(client.get(sent, "Cookie: gh_app=" + alice).read().status()).isEqualTo(200);
      assertThat(app.only().requestLine()).isEqualTo("GET " + received + " HTTP/1.1");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "uid", "UID", "uId", "%75id", "u%69%64", "%2575id", "%u0075id", "uid[]", "uid%5B%5D", "uid[x][y]", "+uid", "%20uid%09",
        "uid%00", "uid%00x", "U%C4%B1D&uid", "%EF%BD%95id", "$uid", "%22uid%22"
      })
  void noSpellingOfAnInjectedParameterPasses(String name) throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = injecting(app, query(Map.of("uid", "user")));
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      String target = "/p?" + name + "=forged&a=1&" + name + "=forged;" + name + "=forged;b=2&" + name + "&" + name + "=forged";
      assertThat(client.get(target, "Cookie: gh_app=" + alice).read().status()).isEqualTo(200);
      String line = app.only().requestLine();
      assertThat(line).contains("a=1", "b=2", "uid=alice HTTP/1.1").doesNotContain("id=forged", "id]=forged");
      assertThat(line.split("uid=", -1)).hasSize(2);
    }
  }

  @Test
  void aSimilarParameterOfAnotherNameIsTheAppsOwn() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = injecting(app, query(Map.of("user.name", "user")));
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      client.get("/p?user=1&username=2&user_name=forged&user%20name=forged&xuser.name=3", "Cookie: gh_app=" + alice).read();
      assertThat(app.only().requestLine()).isEqualTo("GET /p?user=1&username=2&xuser.name=3&user.name=alice HTTP/1.1");
      // Where nobody is told of, the query is the client's.
      client.get("/public/?user.name=1").read();
      assertThat(app.received().get(1).requestLine()).isEqualTo("GET /public/?user.name=1 HTTP/1.1");
    }
  }

  @Test
  void cookiesAreAddedAndTheClientsOwnOfThatNameRemoved() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = injecting(app, cookies(Map.of("APPUSER", "user", "TEAMS", "groups")));
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("al ice;\u00f6", List.of(), List.of("x", "y"));
      client.get(
          "/p",
          "Cookie: a=1; APPUSER=forged; gh_app=" + alice + "; b=\"x; appuser=forged; y\", $APPUSER=forged",
          "Cookie: %41PPUSER=forged; c=3,APPUSER=forged,d; APPUSER; TEAMS=\"forged\"");
      assertThat(client.read().status()).isEqualTo(200);
      Received request = app.only();
      assertThat(request.has("Cookie: a=1; b=\"x; y\"; c=3,d; APPUSER=al%20ice%3B%C3%B6; TEAMS=x%2Cy")).as(request.head()).isTrue();
      assertThat(request.head()).doesNotContain("forged").doesNotContain("gh_");
    }
  }

  @Test
  void aConnectionFieldRemovesTheClientsCookiesAndNotOurs() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = injecting(app, cookies(Map.of("APPUSER", "user")));
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      client.get("/p", "Connection: cookie, authorization", "Cookie: a=1; gh_app=" + alice).read();
      assertThat(app.only().has("Cookie: APPUSER=alice")).as(app.only().head()).isTrue();
    }
  }

  /** SECURITY-CASE 51: whatever shape the field has, nothing of it is our session. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "gh_app=%s", "a=\"; gh_app=%s; b=\"", "$Version=1; gh_app=%s; $Path=/", "a=1,gh_app=%s", "\"gh_app\"=%s", "=gh_app=%s",
        "GH_APP=%s", "__Host-gh_app=%s", "__Secure-__Host-gh_app=%s", "\tgh_app\t=%s", ";;; gh_app=%s;;", "a;gh_app=%s;b",
        "$gh_app=%s"
      })
  void ourCookieReachesNoAppInAnyShape(String cookie) throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = injecting(app, InjectConfig.headers(Map.of("Remote-User", "user")));
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      client.get("/public/", "Cookie: first=1; " + cookie.formatted(alice), "Cookie: last=2").read();
      assertThat(app.only().head()).doesNotContain(alice).contains("first=1", "last=2");
    }
  }

  @Test
  void theAppIsLoggedInToByHttpBasic() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = injecting(app, basic(new Password.Shared(new Secret("s3cret:\u00f6"))));
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      client.get("/p", "Authorization: Basic Zm9yZ2Vk", "AUTHORIZATION: Bearer forged", "Cookie: gh_app=" + alice);
      assertThat(client.read().status()).isEqualTo(200);
      String expected = Base64.getEncoder().encodeToString("alice:s3cret:\u00f6".getBytes(StandardCharsets.UTF_8));
      assertThat(app.only().has("Authorization: Basic " + expected)).isTrue();
      assertThat(app.only().head()).doesNotContain("Zm9yZ2Vk").doesNotContain("forged");
      // An app that nobody is told to logs people in itself.
      client.get("/public/", "Authorization: Basic Zm9yZ2Vk").read();
      assertThat(app.received().get(1).has("Authorization: Basic Zm9yZ2Vk")).isTrue();
    }
  }

  @Test
  void aPersonsOwnPasswordIsSentWhereItIsOneAndUnmistakable() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = injecting(app, basic(new Password.Of("pin")));
        RawClient client = gateway.connect()) {
      for (Map<String, List<String>> attributes :
          List.of(Map.<String, List<String>>of(), Map.of("pin", List.of("1", "2")), Map.of("pin", List.of("1\n2")))) {
        String alice = gateway.sessions().open("alice", List.of(), List.of(), attributes);
        assertThat(client.get("/p", "Cookie: gh_app=" + alice).read().status()).isEqualTo(403);
      }
      String colon = gateway.sessions().open("a:b", List.of(), List.of(), Map.of("pin", List.of("1234")));
      assertThat(client.get("/p", "Cookie: gh_app=" + colon).read().status()).isEqualTo(403);
      assertThat(gateway.denials()).hasSize(4).containsOnly("IDENTITY_NOT_SENDABLE");
      String alice = gateway.sessions().open("alice", List.of(), List.of(), Map.of("pin", List.of("1234")));
      assertThat(client.get("/p", "Cookie: gh_app=" + alice).read().status()).isEqualTo(200);
      assertThat(app.only().has("Authorization: Basic YWxpY2U6MTIzNA==")).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(Algorithm.class)
  void aTokenTellsTheAppWhoIsThereAndIsSignedOnceAMinute(Algorithm algorithm) throws Exception {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = injecting(app, jwt(token("X-Identity-Token", algorithm)));
        RawClient client = gateway.connect();
        RawClient other = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of("staff"), Map.of("mail", List.of("a@b")));
      for (RawClient each : List.of(client, client, other)) {
        each.get("/p", "X-Identity-Token: forged", "X_Identity_Token: forged", "Cookie: gh_app=" + alice);
        assertThat(each.read().status()).isEqualTo(200);
      }
      assertThat(app.received()).hasSize(3).noneMatch(r -> r.head().contains("forged"));
      String token = value(app.received().getFirst(), "X-Identity-Token");
      assertThat(app.received()).allMatch(r -> r.has("X-Identity-Token: " + token)).allMatch(r -> r.has("X-Client: 127.0.0.1"));
      SignedJWT jwt = SignedJWT.parse(token);
      SigningKey key = TokenKeys.of(algorithm == Algorithm.RS256 ? KeyUse.SP_TOKENS_RSA : KeyUse.SP_TOKENS_P256);
      assertThat(jwt.verify(verifier(key))).isTrue();
      assertThat(jwt.getHeader().getKeyID()).isEqualTo(key.id());
      JWTClaimsSet claims = jwt.getJWTClaimsSet();
      assertThat(claims.getIssuer()).isEqualTo("http://app.localhost");
      assertThat(claims.getSubject()).isEqualTo("alice");
      assertThat(claims.getAudience()).containsExactly("https://app.example.org");
      assertThat(claims.getJWTID()).hasSize(43);
      assertThat(claims.getIssueTime().toInstant()).isEqualTo(gateway.time().instant());
      assertThat(claims.getExpirationTime().toInstant()).isEqualTo(gateway.time().instant().plusSeconds(60));
      assertThat(claims.getStringClaim("email")).isEqualTo("a@b");
      assertThat(claims.getStringListClaim("groups")).containsExactly("staff");
      assertThat(claims.getStringClaim("idp")).isEqualTo("idp");
      assertThat(claims.getClaim("acr")).isNull();
      gateway.time().advance(Duration.ofSeconds(31));
      client.get("/p", "Cookie: gh_app=" + alice).read();
      assertThat(value(app.received().getLast(), "X-Identity-Token")).isNotEqualTo(token);
      // Another route's app is not told what a client says.
      client.get("/public/", "x-identity.token: forged").read();
      assertThat(app.received().getLast().head()).doesNotContainIgnoringCase("identity");
    }
  }

  @Test
  void aTokenAsBearerReplacesTheClientsAuthorization() throws IOException {
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = injecting(app, jwt(token("Authorization", Algorithm.ES256)));
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      client.get("/p", "Authorization: Bearer forged", "Cookie: gh_app=" + alice);
      assertThat(client.read().status()).isEqualTo(200);
      assertThat(value(app.only(), "Authorization")).startsWith("Bearer ey");
      assertThat(app.only().head()).doesNotContain("forged");
    }
  }

  @Test
  void whatIsKnownOfTheLoginIsSentAsItIs() throws IOException {
    Map<String, String> headers =
        Map.of(
            "X-Provider", "session.provider", "X-Name", "session.nameId", "X-Format", "session.nameIdFormat", "X-Context",
            "session.authnContext", "X-Login", "session.loginTime", "X-Realm", "session.realm", "X-Session", "session.id");
    try (RawApp app = RawApp.answering(OK);
        TestGateway gateway = injecting(app, InjectConfig.headers(headers));
        RawClient client = gateway.connect()) {
      String alice = gateway.sessions().open("alice", List.of(), List.of());
      client.get("/p", "X-Context: forged", "Cookie: gh_app=" + alice).read();
      Received request = app.only();
      assertThat(request.has("X-Provider: idp")).isTrue();
      assertThat(request.has("X-Name: alice")).isTrue();
      assertThat(request.has("X-Format: urn:oasis:names:tc:SAML:2.0:nameid-format:transient")).isTrue();
      assertThat(request.has("X-Login: 1970-01-01T00:00:00Z")).isTrue();
      assertThat(request.has("X-Realm: demo")).isTrue();
      assertThat(request.head()).doesNotContain("X-Context").doesNotContain(alice);
      assertThat(value(request, "X-Session")).hasSize(43);
    }
  }

  private static JWSVerifier verifier(SigningKey key) throws Exception {
    return switch (key.certificate().getPublicKey()) {
      case RSAPublicKey rsa -> new RSASSAVerifier(rsa);
      case ECPublicKey ec -> new ECDSAVerifier(ec);
      case java.security.PublicKey unknown -> throw new IllegalStateException(unknown.getAlgorithm());
    };
  }

  private static String value(Received request, String name) {
    return request
        .head()
        .lines()
        .filter(line -> line.startsWith(name + ": "))
        .map(line -> line.substring(name.length() + 2).strip())
        .findFirst()
        .orElseThrow();
  }
}
