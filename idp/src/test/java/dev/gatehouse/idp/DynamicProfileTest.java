package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import javax.imageio.ImageIO;
import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.idp.CertifiedClient.Flow;
import dev.gatehouse.idp.CertifiedClient.Got;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The conformance suite's plan for dynamic OpenID providers, end to end (OpenID Connect Dynamic Client Registration 1.0). */
final class DynamicProfileTest {

  private static final Flow CODE = new Flow("code", "");
  private static final TestKey RSA = TestKey.rsa("rsa");

  private final Idp idp = CertifiedClient.provider();
  private final TestBrowser browser = idp.browser();
  private final HttpServer server;
  private volatile String served = "";
  private volatile byte[] image = {};
  private final AtomicInteger imagesFetched = new AtomicInteger();

  DynamicProfileTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = served.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.createContext(
        "/logo",
        exchange -> {
          imagesFetched.incrementAndGet();
          exchange.sendResponseHeaders(200, image.length);
          exchange.getResponseBody().write(image);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String at(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private void showsAPage(EdgeReply reply, String reason) {
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.headers().first("Location")).isEmpty();
    assertThat(idp.audit.events(MessageRefused.class)).extracting(MessageRefused::reason).contains(reason);
  }

  @Test
  void keysAtAnAddressAndNewOnesBetweenTwoRequests() {
    TestKey first = TestKey.p256("first");
    TestKey second = TestKey.p256("second");
    served = first.jwks();
    CertifiedClient client =
        CertifiedClient.register(
            idp, "token_endpoint_auth_method", "private_key_jwt", "jwks_uri", at("/jwks"),
            "grant_types", List.of("authorization_code", "refresh_token"));
    client.key = Optional.of(first);
    Got got = client.logIn(browser, CODE, "scope", "openid offline_access", "prompt", "consent");
    served = second.jwks();
    client.key = Optional.of(second);
    idp.time.advance(Duration.ofSeconds(5));
    Map<String, String> form =
        Map.of("grant_type", "refresh_token", "refresh_token", got.back().path("refresh_token").asString());
    assertThat(client.call(CertifiedClient.TOKEN, form).status()).isEqualTo(200);
  }

  /** The issuer as audience of an assertion. */
  @Test
  void anAssertionForTheIssuer() {
    CertifiedClient client =
        CertifiedClient.register(
            idp, "token_endpoint_auth_method", "private_key_jwt", "jwks", Map.of("keys", List.of(RSA.jwk())));
    String code = Objects.requireNonNull(CertifiedClient.answer(client.ask(browser, CODE), CODE).get("code"));
    String assertion = RSA.sign(JwsName.RS256, client.assertionClaims());
    assertThat(client.exchange(code, "client_assertion", assertion).status()).isEqualTo(200);
  }

  @Test
  void withoutRedirectUriThereIsAPage() {
    CertifiedClient client = CertifiedClient.register(idp);
    showsAPage(client.ask(browser, CODE, "redirect_uri", ""), "REDIRECT_URI_MISSING");
  }

  @Test
  void aRedirectUriIsItsQueryToo() {
    CertifiedClient client = CertifiedClient.register(idp, "redirect_uris", List.of(CertifiedClient.CALLBACK + "?foo=bar"));
    assertThat(client.ask(browser, CODE).headers().first("Location").orElse(""))
        .startsWith(CertifiedClient.CALLBACK + "?foo=bar&code=");
    showsAPage(client.ask(browser, CODE, "redirect_uri", CertifiedClient.CALLBACK + "?foo=baz"), "REDIRECT_URI_UNKNOWN");
    showsAPage(client.ask(browser, CODE, "redirect_uri", CertifiedClient.CALLBACK + "?foo=bar&x=1"), "REDIRECT_URI_UNKNOWN");
    CertifiedClient without = CertifiedClient.register(idp);
    showsAPage(without.ask(browser, CODE, "redirect_uri", CertifiedClient.CALLBACK + "?foo=bar"), "REDIRECT_URI_UNKNOWN");
  }

  @Test
  void aRedirectUriHasNoFragment() {
    EdgeReply reply = CertifiedClient.registered(idp, "redirect_uris", List.of(CertifiedClient.CALLBACK + "#foo"));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(OAuthApp.json(reply).path("error").asString()).isEqualTo("invalid_redirect_uri");
  }

  @ParameterizedTest
  @ValueSource(strings = {"RS256", "PS256", "ES256", "EdDSA"})
  void idTokensAreSignedAsRegistered(String algorithm) {
    CertifiedClient client = CertifiedClient.register(idp, "id_token_signed_response_alg", algorithm);
    String idToken = client.logIn(browser, CODE).idToken();
    assertThat(OAuthApp.claims(idToken.split("\\.")[1] + "." + idToken.split("\\.")[0]).path("alg").asString())
        .isEqualTo(algorithm);
    if (!algorithm.equals("EdDSA")) {
      assertThat(client.verified(idToken).path("sub").asString()).isNotEmpty();
    }
  }

  /** None is offered, so the suite skips it; a client that registers for it is refused. */
  @Test
  void nothingIsUnsigned() {
    EdgeReply reply = CertifiedClient.registered(idp, "id_token_signed_response_alg", "none");
    assertThat(OAuthApp.json(reply).path("error").asString()).isEqualTo("invalid_client_metadata");
    JsonNode metadata = OAuthApp.json(idp.browser().get("/realms/demo/.well-known/openid-configuration"));
    assertThat(metadata.path("id_token_signing_alg_values_supported").toString()).doesNotContain("none").contains("RS256");
    assertThat(CertifiedClient.registered(idp, "request_object_signing_alg", "none").status()).isEqualTo(400);
  }

  @Test
  void userInfoIsSignedAsRegistered() {
    CertifiedClient client = CertifiedClient.register(idp, "userinfo_signed_response_alg", "RS256");
    Got got = client.logIn(browser, CODE);
    EdgeReply reply = client.userInfo(got.accessToken());
    assertThat(reply.headers().first("Content-Type").orElse("")).startsWith("application/jwt");
    assertThat(client.verified(reply.text()).path("sub")).isEqualTo(client.verified(got.idToken()).path("sub"));
  }

  private Map<String, Object> object(CertifiedClient client, String... changes) {
    Map<String, Object> claims = new LinkedHashMap<>(client.request(CODE, changes));
    claims.put("iss", client.id());
    claims.put("aud", Idp.ENTITY);
    return claims;
  }

  @Test
  void aSignedRequestObjectByReference() {
    CertifiedClient client =
        CertifiedClient.register(
            idp, "jwks", Map.of("keys", List.of(RSA.jwk())), "request_uris", List.of(at("/request.jwt")),
            "request_object_signing_alg", "RS256");
    served = RSA.sign(JwsName.RS256, object(client, "state", "in the object"));
    Map<String, String> answer =
        CertifiedClient.answer(client.ask(browser, CODE, "request_uri", at("/request.jwt"), "state", ""), CODE);
    assertThat(answer).containsKey("code").containsEntry("state", "in the object");
    served = CertifiedClient.base64("{\"alg\":\"none\"}") + "." + served.split("\\.")[1] + ".";
    assertThat(CertifiedClient.answer(client.ask(browser, CODE, "request_uri", at("/request.jwt")), CODE))
        .containsEntry("error", "invalid_request_object");
  }

  /** If both are present, that of the object counts (OpenID Connect Core 6.1). */
  @Test
  void theRedirectUriOfARequestObjectCounts() {
    CertifiedClient client = CertifiedClient.register(idp, "jwks", Map.of("keys", List.of(RSA.jwk())));
    String object = RSA.sign(JwsName.RS256, object(client));
    EdgeReply reply = client.ask(browser, CODE, "request", object, "redirect_uri", CertifiedClient.CALLBACK + "/other");
    assertThat(CertifiedClient.answer(reply, CODE)).containsKey("code");
  }

  @Test
  void aSectorsSubjectIsItsOwn() {
    served = "[\"" + CertifiedClient.CALLBACK + "\"]";
    CertifiedClient pairwise =
        CertifiedClient.register(idp, "subject_type", "pairwise", "sector_identifier_uri", at("/sector"));
    CertifiedClient open = CertifiedClient.register(idp);
    JsonNode own = pairwise.verified(pairwise.logIn(browser, CODE).idToken()).path("sub");
    assertThat(own).isNotEqualTo(open.verified(open.logIn(browser, CODE).idToken()).path("sub"));
    served = "[\"https://app.example/other\"]";
    EdgeReply bad = CertifiedClient.registered(idp, "subject_type", "pairwise", "sector_identifier_uri", at("/sector"));
    assertThat(OAuthApp.json(bad).path("error_description").asString())
        .isEqualTo("sector_identifier_uri does not list the redirect URIs");
  }

  /**
   * Its logo is cached, but no page of ours loads an image from another site: that would tell its server who is about
   * to consent.
   */
  private EdgeReply logo(CertifiedClient client) {
    return idp.browser().get("/realms/demo/oauth/logo?client_id=" + client.id());
  }

  @Test
  void thePersonWhoIsAskedSeesItsLogoFromHere() throws IOException {
    ByteArrayOutputStream jpeg = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(1000, 300, BufferedImage.TYPE_INT_RGB), "jpeg", jpeg);
    jpeg.writeBytes("<script>alert(1)</script>".getBytes(StandardCharsets.UTF_8));
    image = jpeg.toByteArray();
    CertifiedClient client = CertifiedClient.register(idp, "logo_uri", at("/logo.jpg"));
    EdgeReply form = browser.follow(browser.get(OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(client.request(CODE))));
    EdgeReply question = browser.follow(browser.follow(browser.login(form, "alice", "demo")));
    for (EdgeReply page : List.of(form, question)) {
      assertThat(page.text())
          .contains("src=\"/realms/demo/oauth/logo?client_id=" + client.id())
          .doesNotContain("127.0.0.1:" + server.getAddress().getPort());
      assertThat(page.headers().first("Content-Security-Policy").orElseThrow()).contains("img-src 'self' data:;");
    }
    assertThat(imagesFetched).as("not before somebody's browser asks").hasValue(0);
    EdgeReply logo = logo(client);
    assertThat(logo.status()).isEqualTo(200);
    assertThat(logo.headers().first("Content-Type")).contains("image/png");
    assertThat(logo.headers().first("Cache-Control")).contains("public, max-age=86400");
    assertThat(logo.text()).as("pixels alone").doesNotContain("script");
    BufferedImage shown = ImageIO.read(new ByteArrayInputStream(logo.body()));
    assertThat(List.of(shown.getWidth(), shown.getHeight())).containsExactly(320, 96);
    assertThat(logo(client).body()).isEqualTo(logo.body());
    assertThat(imagesFetched).as("kept for a day").hasValue(1);
    image = new byte[0];
    idp.time.advance(Duration.ofDays(1));
    assertThat(logo(client).body()).as("while it cannot be fetched").isEqualTo(logo.body());
    assertThat(imagesFetched).hasValue(2);
  }

  @Test
  void whatIsNoSmallImageIsNoLogo() throws IOException {
    assertThat(logo(CertifiedClient.register(idp)).status()).as("none").isEqualTo(404);
    assertThat(idp.browser().get("/realms/demo/oauth/logo?client_id=nobody").status()).isEqualTo(404);
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(1025, 2, BufferedImage.TYPE_INT_RGB), "png", bomb);
    ByteArrayOutputStream bitmap = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(2, 2, BufferedImage.TYPE_INT_RGB), "bmp", bitmap);
    byte[] damaged = Arrays.copyOf(bomb.toByteArray(), 40);
    int number = 0;
    for (byte[] bytes :
        List.of("<svg xmlns='http://www.w3.org/2000/svg'/>".getBytes(StandardCharsets.UTF_8), bomb.toByteArray(),
            bitmap.toByteArray(), damaged, new byte[300_000])) {
      image = bytes;
      CertifiedClient client = CertifiedClient.register(idp, "logo_uri", at("/logo" + number++));
      assertThat(logo(client).status()).as("%s", number).isEqualTo(404);
      assertThat(logo(client).status()).isEqualTo(404);
      assertThat(imagesFetched).as("a failure counts for ten minutes").hasValue(number);
    }
    CertifiedClient elsewhere = CertifiedClient.register(idp, "logo_uri", "https://10.1.2.3/logo.png");
    assertThat(logo(elsewhere).status()).as("an address that may not be called").isEqualTo(404);
  }

  @Test
  void thePersonWhoIsAskedSeesItsPolicyAndTerms() {
    CertifiedClient client =
        CertifiedClient.register(
            idp, "policy_uri", "https://app.example/policy", "tos_uri", "https://app.example/terms",
            "logo_uri", "https://app.example/logo.png");
    assertThat(client.registration.path("logo_uri").asString()).isEqualTo("https://app.example/logo.png");
    EdgeReply form = browser.follow(browser.get(OAuthApp.AUTHORIZE + "?" + TestBrowser.encode(client.request(CODE))));
    EdgeReply question = browser.follow(browser.follow(browser.login(form, "alice", "demo")));
    for (EdgeReply page : List.of(form, question)) {
      assertThat(page.text())
          .containsPattern("<a href=\"https://app.example/policy\"[^>]*>Privacy policy of the app</a>")
          .containsPattern("<a href=\"https://app.example/terms\"[^>]*>Terms of service of the app</a>")
          .doesNotContain("https://app.example/logo.png");
    }
  }
}
