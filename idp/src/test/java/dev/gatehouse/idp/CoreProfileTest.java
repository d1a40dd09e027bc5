package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.MessageRefused;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.CertifiedClient.Flow;
import dev.gatehouse.idp.CertifiedClient.Got;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * The modules that the conformance suite's plans for Basic, Implicit, Hybrid and Form Post OpenID providers have in
 * common: each module with each response type, in its default mode and by form (OpenID Connect Core; CERTIFICATION.md
 * maps modules to tests). The client registers at run time and uses no PKCE, like the suite's.
 */
@ParameterizedClass
@MethodSource("flows")
final class CoreProfileTest {

  private static final List<String> TYPES =
      List.of("code", "id_token", "id_token token", "code id_token", "code token", "code id_token token");

  /** One for all tests with a flow: each registers a client and has a browser of its own. */
  private static Idp idp;

  private final Flow flow;
  private final CertifiedClient client;
  private final TestBrowser browser;

  CoreProfileTest(Flow flow) {
    this.flow = flow;
    idp.audit.clear();
    this.browser = idp.browser();
    this.client = CertifiedClient.register(idp, "response_types", TYPES, "grant_types", List.of("authorization_code", "implicit", "refresh_token"));
  }

  @BeforeAll
  static void start() {
    idp = CertifiedClient.provider();
  }

  static Stream<Flow> flows() {
    return TYPES.stream().flatMap(types -> Stream.of(new Flow(types, ""), new Flow(types, "form_post")));
  }

  private Got logIn(String... changes) {
    return client.logIn(browser, flow, changes);
  }

  private Map<String, String> answer(String... changes) {
    return CertifiedClient.answer(client.ask(browser, flow, changes), flow);
  }

  private boolean hasAccessToken() {
    return !flow.types().equals("id_token");
  }

  @Test
  void happyFlow() {
    Got got = logIn();
    assertThat(got.front()).containsEntry("state", "a state").containsEntry("iss", Idp.ENTITY);
    assertThat(got.front().containsKey("code")).isEqualTo(flow.has("code"));
    assertThat(got.front().containsKey("access_token")).isEqualTo(flow.has("token"));
    assertThat(got.front().containsKey("id_token")).isEqualTo(flow.has("id_token"));
    JsonNode claims = client.verified(got.idToken());
    long now = idp.time.instant().getEpochSecond();
    assertThat(claims.path("nonce").asString()).isEqualTo(CertifiedClient.NONCE);
    assertThat(claims.path("iat").asLong()).isEqualTo(now);
    assertThat(claims.path("exp").asLong()).isGreaterThan(now);
    assertThat(claims.path("sub").asString()).hasSizeBetween(1, 255).matches("\\p{ASCII}+");
    if (hasAccessToken()) {
      JsonNode userInfo = OAuthApp.json(client.userInfo(got.accessToken()));
      assertThat(userInfo.path("sub")).isEqualTo(claims.path("sub"));
    }
  }

  @Test
  void anIdTokenVouchesForWhatCameWithIt() {
    Got got = logIn();
    if (got.front().containsKey("id_token")) {
      JsonNode front = client.verified(got.front().get("id_token"));
      assertThat(front.path("at_hash").asString(""))
          .isEqualTo(flow.has("token") ? CertifiedClient.half(Objects.requireNonNull(got.front().get("access_token"))) : "");
      assertThat(front.path("c_hash").asString(""))
          .isEqualTo(flow.has("code") ? CertifiedClient.half(Objects.requireNonNull(got.front().get("code"))) : "");
    }
    if (got.back().has("id_token")) {
      JsonNode back = client.verified(got.back().path("id_token").asString());
      assertThat(back.path("at_hash").asString())
          .isEqualTo(CertifiedClient.half(got.back().path("access_token").asString()));
    }
  }

  @Test
  void withoutResponseTypeThereIsNone() {
    EdgeReply reply = client.ask(browser, flow, "response_type", "");
    String all = reply.headers().first("Location").orElse("") + reply.text();
    assertThat(all).contains("invalid_request").doesNotContain("code=", "access_token");
  }

  @Test
  void userInfoByGetByHeaderAndByForm() {
    if (!hasAccessToken()) {
      assertThat(logIn().front()).doesNotContainKey("access_token");
      return;
    }
    String token = logIn().accessToken();
    TestBrowser server = idp.browser();
    server.headers = Map.of("Authorization", "Bearer " + token);
    assertThat(OAuthApp.json(server.get(CertifiedClient.USERINFO)).path("sub").asString()).isNotEmpty();
    assertThat(OAuthApp.json(server.post(CertifiedClient.USERINFO, Map.of())).path("sub").asString()).isNotEmpty();
    server.headers = Map.of();
    assertThat(OAuthApp.json(server.post(CertifiedClient.USERINFO, Map.of("access_token", token))).path("sub").asString())
        .isNotEmpty();
  }

  /** Without an access token, the ID token contains the claims (OpenID Connect Core 5.4). */
  @Test
  void eachScopeBringsItsClaims() {
    Map<String, String> scopes =
        Map.of("profile", "name", "email", "email", "phone", "phone_number", "address", "address");
    scopes.forEach(
        (scope, claim) -> {
          JsonNode told = told("openid " + scope);
          assertThat(told.has(claim)).as(scope).isTrue();
          scopes.values().stream().filter(other -> !other.equals(claim)).forEach(
              other -> assertThat(told.has(other)).as(scope + " brings no " + other).isFalse());
        });
    JsonNode all = told("openid profile email phone address");
    assertThat(scopes.values()).allSatisfy(claim -> assertThat(all.has(claim)).isTrue());
  }

  private JsonNode told(String scope, String... changes) {
    String[] more = Stream.concat(Stream.of("scope", scope), Stream.of(changes)).toArray(String[]::new);
    Got got = logIn(more);
    return hasAccessToken() ? OAuthApp.json(client.userInfo(got.accessToken())) : OAuthApp.claims(got.idToken());
  }

  @Test
  void orderOfParametersAndScopesMatterNot() {
    assertThat(told("email openid").has("email")).isTrue();
  }

  @Test
  void aClaimThatIsEssentialIsTold() {
    String where = hasAccessToken() ? "userinfo" : "id_token";
    assertThat(told("openid", "claims", "{\"" + where + "\":{\"name\":{\"essential\":true}}}").path("name").asString())
        .isEqualTo("Alice Liddell");
  }

  @Test
  void onlyTheCodeFlowsGoWithoutNonce() {
    Map<String, String> answer = answer("nonce", "");
    if (flow.has("id_token")) {
      assertThat(answer).containsEntry("error", "invalid_request").containsEntry("error_description", "nonce is missing");
      assertThat(answer).doesNotContainKeys("code", "id_token", "access_token");
    } else {
      JsonNode tokens = OAuthApp.json(client.exchange(Objects.requireNonNull(answer.get("code"))));
      assertThat(client.verified(tokens.path("id_token").asString()).has("nonce")).isFalse();
    }
  }

  @Test
  void wishesThatChangeNothing() {
    for (String[] wish :
        List.of(
            new String[] {"display", "page"},
            new String[] {"display", "popup"},
            new String[] {"ui_locales", "se"},
            new String[] {"claims_locales", "se"},
            new String[] {"acr_values", "1 2"},
            new String[] {"login_hint", "bob@example.com"},
            new String[] {"extra", "foobar"})) {
      assertThat(client.verified(logIn(wish).idToken()).path("sub").asString()).as(wish[0]).isNotEmpty();
    }
    assertThat(client.logins).isEqualTo(1);
  }

  @Test
  void promptLoginAsksAgain() {
    JsonNode first = client.verified(logIn().idToken());
    idp.time.advance(Duration.ofSeconds(2));
    JsonNode second = client.verified(logIn("prompt", "login").idToken());
    assertThat(client.logins).isEqualTo(2);
    assertThat(second.path("auth_time").asLong()).isGreaterThan(first.path("auth_time").asLong());
    assertThat(second.path("sub")).isEqualTo(first.path("sub"));
  }

  @Test
  void promptNoneWithoutALoginIsAnError() {
    assertThat(answer("prompt", "none")).containsEntry("error", "login_required").containsEntry("state", "a state");
    assertThat(client.logins).isZero();
  }

  @Test
  void promptNoneAndHintWithALoginAreAnswered() {
    Got got = logIn();
    JsonNode first = client.verified(got.idToken());
    idp.time.advance(Duration.ofSeconds(2));
    JsonNode second = client.verified(logIn("prompt", "none").idToken());
    JsonNode hinted = client.verified(logIn("prompt", "none", "id_token_hint", got.idToken()).idToken());
    assertThat(client.logins).isEqualTo(1);
    assertThat(second.path("sub")).isEqualTo(first.path("sub")).isEqualTo(hinted.path("sub"));
    assertThat(second.path("auth_time")).isEqualTo(first.path("auth_time"));
  }

  @Test
  void aLoginThatIsOlderThanMaxAgeIsAskedForAgain() {
    JsonNode first = client.verified(logIn().idToken());
    idp.time.advance(Duration.ofSeconds(2));
    JsonNode second = client.verified(logIn("max_age", "10000").idToken());
    assertThat(client.logins).isEqualTo(1);
    assertThat(second.path("auth_time")).isEqualTo(first.path("auth_time"));
    JsonNode third = client.verified(logIn("max_age", "1").idToken());
    assertThat(client.logins).isEqualTo(2);
    assertThat(third.path("auth_time").asLong()).isGreaterThan(first.path("auth_time").asLong());
  }

  @Test
  void aRequestByPost() {
    EdgeReply reply = client.through(browser, browser.post(OAuthApp.AUTHORIZE, client.request(flow)));
    assertThat(CertifiedClient.answer(reply, flow)).containsEntry("state", "a state").doesNotContainKey("error");
  }

  @Test
  void anotherRedirectUriGetsAPage() {
    EdgeReply reply = client.ask(browser, flow, "redirect_uri", CertifiedClient.CALLBACK + "/other");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.headers().first("Location")).isEmpty();
    assertThat(reply.text()).as("for whoever reviews a picture of it").contains("<code>REDIRECT_URI_UNKNOWN</code>");
    assertThat(reply.text()).doesNotContain(CertifiedClient.CALLBACK);
    assertThat(reasons()).containsExactly("REDIRECT_URI_UNKNOWN");
  }

  /** None is offered, so each is refused, by value and by reference. */
  @Test
  void requestObjectsWithoutSignatureAreRefused() {
    String unsigned =
        CertifiedClient.base64("{\"alg\":\"none\"}")
            + "." + CertifiedClient.base64("{\"redirect_uri\":\"" + CertifiedClient.CALLBACK + "\"}") + ".";
    assertThat(answer("request", unsigned)).containsEntry("error", "invalid_request_object");
    assertThat(answer("request_uri", "https://app.example/request.jwt")).containsEntry("error", "invalid_request_uri");
    JsonNode metadata = OAuthApp.json(idp.browser().get("/realms/demo/.well-known/openid-configuration"));
    assertThat(metadata.path("request_object_signing_alg_values_supported").toString()).doesNotContain("none");
  }

  @Test
  void aCodeCountsOnceAndEndsWhatItGave() {
    if (!flow.has("code")) {
      assertThat(logIn().front()).doesNotContainKey("code");
      return;
    }
    for (int seconds : List.of(0, 30)) {
      Got got = logIn();
      idp.time.advance(Duration.ofSeconds(seconds));
      EdgeReply again = client.exchange(Objects.requireNonNull(got.front().get("code")));
      assertThat(again.status()).isEqualTo(400);
      assertThat(OAuthApp.json(again).path("error").asString()).isEqualTo("invalid_grant");
      assertThat(client.userInfo(got.back().path("access_token").asString()).status()).as("RFC 6749, 4.1.2").isEqualTo(401);
    }
  }

  @Test
  void refreshing() {
    if (!flow.has("code")) {
      assertThat(logIn().back().has("refresh_token")).isFalse();
      return;
    }
    Got got = logIn("scope", "openid offline_access", "prompt", "consent");
    JsonNode first = client.verified(got.back().path("id_token").asString());
    String token = got.back().path("refresh_token").asString();
    idp.time.advance(Duration.ofSeconds(1));
    CertifiedClient other = CertifiedClient.register(idp, "grant_types", List.of("authorization_code", "refresh_token"));
    Map<String, String> form = Map.of("grant_type", "refresh_token", "refresh_token", token);
    assertThat(OAuthApp.json(other.call(CertifiedClient.TOKEN, form)).path("error").asString()).isEqualTo("invalid_grant");
    JsonNode refreshed = OAuthApp.json(client.call(CertifiedClient.TOKEN, form));
    assertThat(client.userInfo(refreshed.path("access_token").asString()).status()).isEqualTo(200);
    if (refreshed.has("id_token")) {
      JsonNode second = client.verified(refreshed.path("id_token").asString());
      assertThat(second.path("sub")).isEqualTo(first.path("sub"));
      assertThat(second.path("auth_time")).isEqualTo(first.path("auth_time"));
      assertThat(second.path("iat").asLong()).isGreaterThan(first.path("iat").asLong());
    }
  }

  @Test
  void pkceIsTakenWhereItIsOffered() {
    if (!flow.has("code")) {
      assertThat(answer("code_challenge", OAuthApp.CHALLENGE, "code_challenge_method", "S256")).doesNotContainKey("error");
      return;
    }
    String code = Objects.requireNonNull(answer("code_challenge", OAuthApp.CHALLENGE, "code_challenge_method", "S256").get("code"));
    assertThat(client.exchange(code, "code_verifier", OAuthApp.VERIFIER).status()).isEqualTo(200);
  }

  @Test
  void aSecretInTheForm() {
    CertifiedClient byPost =
        CertifiedClient.register(
            idp, "response_types", TYPES, "grant_types", List.of("authorization_code", "implicit"),
            "token_endpoint_auth_method", "client_secret_post");
    assertThat(byPost.verified(byPost.logIn(browser, flow).idToken()).path("sub").asString()).isNotEmpty();
  }

  private List<String> reasons() {
    return idp.audit.events(MessageRefused.class).stream().map(MessageRefused::reason).toList();
  }
}
