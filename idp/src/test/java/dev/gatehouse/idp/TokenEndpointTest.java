package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.realm.ClientConfig.Binding;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.TokenWorld.Answer;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.OAuthError;
import dev.gatehouse.idp.oauth.OAuthError.Code;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The checks that all grants share, and the grants of machines, devices and passwords. */
final class TokenEndpointTest {

  private static final String API = "https://api.example";

  private final TestClient machine =
      TestClient.web("machine").grants(GrantType.CLIENT_CREDENTIALS, GrantType.REFRESH).resources(API);
  private final TokenWorld world =
      new TokenWorld(
          TestClient.web("web"),
          machine,
          TestClient.web("es").grants(GrantType.CLIENT_CREDENTIALS).algorithm(JwsName.ES256),
          TestClient.web("opaque").grants(GrantType.CLIENT_CREDENTIALS).opaque(),
          TestClient.web("dpop").grants(GrantType.CLIENT_CREDENTIALS).bound(Binding.DPOP),
          TestClient.web("certified").grants(GrantType.CLIENT_CREDENTIALS).bound(Binding.CERTIFICATE),
          TestClient.web("page").withoutSecret().grants(GrantType.CODE, GrantType.CLIENT_CREDENTIALS, GrantType.DEVICE),
          TestClient.web("tv").grants(GrantType.DEVICE, GrantType.REFRESH),
          TestClient.web("legacy").grants(GrantType.PASSWORD, GrantType.REFRESH),
          TestClient.web("legacy-two").grants(GrantType.PASSWORD));

  @Test
  void theBodyIsAForm() {
    Answer answer =
        world.send(
            "POST", "oauth/token",
            Map.of("Content-Type", "application/json", "Authorization", TokenWorld.basic("machine").get("Authorization")),
            "{\"grant_type\":\"client_credentials\"}");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error()).isEqualTo("invalid_request: The body has to be application/x-www-form-urlencoded");
  }

  @Test
  void whatStandsInTheQueryCountsForNothing() {
    assertThat(world.send("GET", "oauth/token", TokenWorld.basic("machine"), "").status()).isEqualTo(405);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"grant_type=client_credentials&grant_type=client_credentials", "grant_type=client_credentials&scope=read&scope=read",
        "grant_type=client_credentials&x=1&x=1"})
  void aParameterGivenTwiceIsRefused(String form) {
    Answer answer = world.send("POST", "oauth/token", TokenWorld.basic("machine"), form);
    assertThat(answer.error()).startsWith("invalid_request: ").endsWith(" occurs more than once");
  }

  @Test
  void whatCannotBeReadIsRefused() {
    Answer answer = world.send("POST", "oauth/token", TokenWorld.basic("machine"), "grant_type=%zz");
    assertThat(answer.error())
        .isEqualTo("invalid_request: a percent sign without two hexadecimal digits");
  }

  @Test
  void whoIsNotAClientIsToldHowToBeOne() {
    Answer answer = world.token("nobody", "grant_type", "client_credentials");
    assertThat(answer.status()).isEqualTo(401);
    assertThat(answer.text("error")).isEqualTo("invalid_client");
    assertThat(answer.header("WWW-Authenticate")).contains("Basic realm=\"demo\"");
    assertThat(world.audit.events(AuditEvent.MessageRefused.class))
        .extracting(AuditEvent.MessageRefused::reason)
        .containsExactly("INVALID_CLIENT");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "machine|authorization_code|unauthorized_client: The client may not use this grant_type",
        "web|client_credentials|unauthorized_client: The client may not use this grant_type",
        "web|password|unauthorized_client: The client may not use this grant_type",
        "web|CLIENT_CREDENTIALS|unsupported_grant_type: There is no such grant_type here",
        "web|implicit|unsupported_grant_type: There is no such grant_type here",
        "web||invalid_request: The parameter grant_type is missing",
      })
  void aGrantThatIsNotTheClientsIsRefused(String client, String grant, String expected) {
    Answer answer = world.token(client, "grant_type", Optional.ofNullable(grant).orElse(""));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.error()).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"machine", "es", "opaque"})
  void clientCredentials(String client) {
    Answer answer = world.token(client, "grant_type", "client_credentials", "scope", "read");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Cache-Control")).contains("no-store");
    assertThat(answer.header("Pragma")).contains("no-cache");
    assertThat(answer.text("scope")).isEqualTo("read");
    assertThat(answer.json().has("refresh_token")).isFalse();
    Answer told = world.introspect(client, answer.text("access_token"));
    assertThat(told.text("sub")).isEqualTo(client);
    assertThat(told.text("client_id")).isEqualTo(client);
    assertThat(told.text("aud")).isEqualTo(TokenWorld.ISSUER);
    assertThat(told.json().has("acr")).isFalse();
  }

  /** RFC 9068, section 2.2. */
  @Test
  void aJwtSaysWhatItsProfileWants() {
    Answer answer = world.tokens("web", "read", "roles", "profile");
    String[] parts = answer.text("access_token").split("\\.");
    assertThat(TokenWorld.claims("." + parts[0] + ".").path("typ").asString()).isEqualTo("at+jwt");
    var claims = TokenWorld.claims(answer.text("access_token"));
    assertThat(claims.propertyNames())
        .containsExactlyInAnyOrder(
            "iss", "sub", "aud", "client_id", "iat", "exp", "jti", "scope", "auth_time", "acr",
            "preferred_username", "roles", "groups");
    assertThat(claims.path("preferred_username").asString()).isEqualTo("alice");
    assertThat(claims.path("sub").asString()).isNotEqualTo(FakeDirectory.ALICE.id().value());
    assertThat(claims.path("roles").toString()).isEqualTo("[\"employee\"]");
    assertThat(claims.path("exp").asLong() - claims.path("iat").asLong()).isEqualTo(300);
    assertThat(claims.path("acr").asString()).isEqualTo("urn:example:acr");
  }

  @Test
  void withoutAskingAMachineGetsAllThatIsNoPersons() {
    Answer answer = world.token("machine", "grant_type", "client_credentials");
    assertThat(answer.text("scope")).isEqualTo("read roles write");
    assertThat(world.token("machine", "grant_type", "client_credentials", "scope", "openid").error())
        .isEqualTo("invalid_scope: A scope was asked for that was not granted");
  }

  @Test
  void aMachineAsksForItsResources() {
    Answer answer = world.token("machine", "grant_type", "client_credentials", "resource", API);
    assertThat(TokenWorld.claims(answer.text("access_token")).path("aud").asString()).isEqualTo(API);
    Answer ours = world.token("machine", "grant_type", "client_credentials", "resource", TokenWorld.ISSUER);
    assertThat(TokenWorld.claims(ours.text("access_token")).path("aud").asString()).isEqualTo(TokenWorld.ISSUER);
    assertThat(
            world.token("machine", "grant_type", "client_credentials", "resource", "https://other.example").error())
        .isEqualTo("invalid_target: A resource was asked for that was not granted");
  }

  @Test
  void aPublicClientHasNoCredentials() {
    Answer answer =
        world.postPublic("oauth/token", TokenWorld.form("grant_type", "client_credentials", "client_id", "page"));
    assertThat(answer.error()).isEqualTo("unauthorized_client: A public client has no credentials");
  }

  @Test
  void whoseTokensMustBeBoundGetsNoOther() {
    assertThat(world.token("dpop", "grant_type", "client_credentials").error())
        .isEqualTo("invalid_dpop_proof: Tokens of this client are bound by DPoP: a proof is missing");
    assertThat(world.token("certified", "grant_type", "client_credentials").error())
        .isEqualTo("invalid_request: Tokens of this client are bound to its certificate: it is missing");
    TestKey key = TestKey.p256("key");
    Answer bound =
        world.send(
            "POST", "oauth/token", world.proved(TokenWorld.basic("dpop"), key, "POST", "oauth/token", ""),
            "grant_type=client_credentials");
    assertThat(bound.text("token_type")).isEqualTo("DPoP");
    assertThat(world.introspect("dpop", bound.text("access_token")).json().path("cnf").has("jkt")).isTrue();
  }

  @Test
  void aDeviceGetsWhatThePersonAgreedTo() {
    String grant = "urn:ietf:params:oauth:grant-type:device_code";
    world.devices.put("waiting", OAuthError.refused(Code.AUTHORIZATION_PENDING, "The person has yet to answer"));
    Authorization agreed = world.agreed("tv", "openid", "read");
    world.authorizations.begin(agreed);
    world.devices.put("agreed", Result.accepted(agreed));
    world.devices.put("ended", Result.accepted(world.agreed("tv", "read")));
    world.devices.put("foreign", Result.accepted(world.agreed("page", "read")));

    assertThat(world.token("tv", "grant_type", grant, "device_code", "waiting").error())
        .isEqualTo("authorization_pending: The person has yet to answer");
    assertThat(world.token("tv", "grant_type", grant, "device_code", "foreign").error())
        .isEqualTo("invalid_grant: The device code is another client's");
    assertThat(world.token("tv", "grant_type", grant, "device_code", "ended").error())
        .isEqualTo("invalid_grant: The authorization has ended");
    assertThat(world.token("tv", "grant_type", grant).error())
        .isEqualTo("invalid_request: The parameter device_code is missing");
    Answer answer = world.token("tv", "grant_type", grant, "device_code", "agreed");
    assertThat(answer.text("id_token")).isNotEmpty();
    assertThat(world.refresh("tv", answer.text("refresh_token")).status()).isEqualTo(200);
  }

  @Test
  void aPasswordGivesTokens() {
    Answer answer = password("alice", "demo", "openid read");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.text("scope")).isEqualTo("openid read");
    assertThat(TokenWorld.claims(answer.text("id_token")).path("acr").asString())
        .isEqualTo("urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport");
    assertThat(world.refresh("legacy", answer.text("refresh_token")).status()).isEqualTo(200);
    assertThat(world.token("legacy", "grant_type", "password", "username", "alice", "password", "demo").text("scope"))
        .isEqualTo("email profile read roles write");
  }

  private Answer password(String name, String password, String scope) {
    return world.token(
        "legacy", "grant_type", "password", "username", name, "password", password, "scope", scope);
  }

  @Test
  void whateverIsWrongAboutNameOrPasswordIsAnsweredAlike() {
    world.directory.lock("bob");
    String expected = "invalid_grant: The name or the password is wrong";
    assertThat(password("alice", "wrong", "read").error()).isEqualTo(expected);
    assertThat(password("nobody", "demo", "read").error()).isEqualTo(expected);
    assertThat(password("bob", "demo", "read").error()).isEqualTo(expected);
    assertThat(world.audit.events(AuditEvent.LoginRefused.class))
        .extracting(event -> event.contract() + " " + event.reason())
        .containsExactly(
            "password-grant WRONG_PASSWORD", "password-grant UNKNOWN_NAME", "password-grant LOCKED");
  }

  @Test
  void passwordsAreNotGuessedHere() {
    for (int i = 0; i < 10; i++) {
      password("alice", "wrong", "read");
    }
    int binds = world.directory.binds.get();
    assertThat(password("alice", "demo", "read").error())
        .isEqualTo("invalid_grant: Too many tries; try again later");
    assertThat(world.directory.binds.get()).isEqualTo(binds);
  }

  @Test
  void aClientWhosePeopleAreSlowedHearsSoWithTheTime() {
    for (int i = 0; i < 10; i++) {
      password("alice", "wrong", "read");
    }
    Answer slowed = password("alice", "demo", "read");
    assertThat(slowed.status()).isEqualTo(429);
    assertThat(slowed.header("Retry-After")).contains("90");
    assertThat(password("nobody", "demo", "read").status()).as("another name").isEqualTo(400);
  }

  /** Guesses through one client do not lock the person out elsewhere. */
  @Test
  void aClientThatHasAuthenticatedHasCountsOfItsOwn() {
    for (int i = 0; i < 10; i++) {
      password("alice", "wrong", "read");
    }
    assertThat(password("alice", "demo", "read").status()).isEqualTo(429);
    Answer other =
        world.token("legacy-two", "grant_type", "password", "username", "alice", "password", "demo", "scope", "read");
    assertThat(other.status()).isEqualTo(200);
  }

  @Test
  void aScopeThatIsNotTheClientsIsRefusedBeforeThePasswordIsLookedAt() {
    assertThat(password("alice", "demo", "admin").error())
        .isEqualTo("invalid_scope: A scope was asked for that was not granted");
    assertThat(world.directory.binds.get()).isZero();
  }

  @Test
  void aPasswordThatHasToBeChangedGivesNothing() {
    world.directory.mustChange("alice");
    assertThat(password("alice", "demo", "read").error())
        .isEqualTo("invalid_grant: The password has to be changed first");
  }

  @Test
  void wherePeopleNeedASecondStepAPasswordGivesNothing() {
    var contracts =
        new ContractsConfig(
            false, ContractsConfig.SecondFactor.REQUIRED, ContractsConfig.FORM_ALONE.totp(), Optional.empty());
    TokenWorld strict =
        new TokenWorld(
            TestRealms.change(TestRealms.demo()).contracts(contracts).realm(),
            TestClient.web("legacy").grants(GrantType.PASSWORD));
    Answer answer =
        strict.token("legacy", "grant_type", "password", "username", "alice", "password", "demo", "scope", "read");
    assertThat(answer.error()).isEqualTo("invalid_grant: A password alone is not enough");
  }

  @Test
  void withoutADirectoryNothingIsIssued() {
    world.directory.down = true;
    Answer answer = password("alice", "demo", "read");
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.error()).isEqualTo("temporarily_unavailable: Try again later");
  }

  @Test
  void onlyThePageOfAPublicClientMayReadItsTokens() {
    Map<String, String> own = Map.of("Origin", "https://client.example.com");
    String form =
        TestBrowser.encode(
            TokenWorld.form(
                "grant_type", "authorization_code", "client_id", "page", "code",
                world.code(world.agreed("page", "read")), "redirect_uri", TokenWorld.CALLBACK, "code_verifier",
                TokenWorld.VERIFIER));
    Answer answer = world.send("POST", "oauth/token", own, form);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Access-Control-Allow-Origin")).contains("https://client.example.com");
    assertThat(answer.header("Access-Control-Allow-Credentials")).isEmpty();
    Answer foreign = world.send("POST", "oauth/token", Map.of("Origin", "https://evil.example"), form);
    assertThat(foreign.header("Access-Control-Allow-Origin")).isEmpty();
    Answer preflight = world.send("OPTIONS", "oauth/token", own, "");
    assertThat(preflight.status()).isEqualTo(204);
    assertThat(preflight.header("Access-Control-Allow-Headers")).contains("Authorization, Content-Type, DPoP");
  }

  @Test
  void aConfidentialClientsAnswersAreForNoPage() {
    Map<String, String> headers = new HashMap<>(TokenWorld.basic("machine"));
    headers.put("Origin", "https://client.example.com");
    Answer answer = world.send("POST", "oauth/token", headers, "grant_type=client_credentials");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.header("Access-Control-Allow-Origin")).isEmpty();
  }
}
