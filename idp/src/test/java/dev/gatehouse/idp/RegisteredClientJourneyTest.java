package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.OAuthConfig.Registration;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** From registration to a token, and to its end. */
class RegisteredClientJourneyTest {

  private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
  private static final Headers FORM = Headers.of("Content-Type", "application/x-www-form-urlencoded");
  private static final Headers JSON = Headers.of("Content-Type", "application/json");

  private final Idp idp = new Idp(realm());

  private static Realm realm() {
    OAuthConfig usual = OAuthConfig.USUAL;
    return TestRealms.change(TestRealms.demo())
        .oauth(
            new OAuthConfig(
                usual.accessTokenLife(), usual.refreshTokenLife(), usual.codeLife(), usual.deviceCodeLife(),
                usual.pushedLife(), Registration.LOOPBACK, usual.scopes(), usual.claims(), Optional.empty(), List.of()))
        .realm();
  }

  private EdgeReply ask(String method, String path, String query, Headers headers, String body) {
    return idp.dispatch.handle(
        new EdgeRequest(
            method, Origin.of(URI.create(TestRealms.IDP)), "/realms/demo/" + path, query, headers,
            body.getBytes(StandardCharsets.UTF_8), HERE));
  }

  private static Map<String, Object> json(EdgeReply reply) {
    return StrictJson.object(reply.body()).orElseThrow(() -> new AssertionError(reply + " " + reply.text()));
  }

  private Map<String, Object> register(Map<String, ?> metadata) {
    EdgeReply reply = ask("POST", "connect/register", "", JSON, StrictJson.write(metadata));
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    return json(reply);
  }

  private static Headers basic(Map<String, Object> client) {
    String pair = client.get("client_id") + ":" + client.get("client_secret");
    return FORM.and("Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
  }

  private String active(Map<String, Object> by, Object token) {
    return ask("POST", "oauth/introspect", "", basic(by), "token=" + token).text();
  }

  @Test
  void aRegisteredClientGetsTokensUntilItIsRemoved() {
    Map<String, Object> client = register(Map.of("grant_types", List.of("client_credentials"), "scope", "openid"));
    EdgeReply token = ask("POST", "oauth/token", "", basic(client), "grant_type=client_credentials");
    assertThat(token.status()).as(token.text()).isEqualTo(200);
    Map<String, Object> other = register(Map.of("grant_types", List.of("client_credentials")));
    assertThat(active(client, Objects.requireNonNull(json(token).get("access_token")))).contains("\"active\":true");

    String own = "client_id=" + client.get("client_id");
    Headers access = JSON.and("Authorization", "Bearer " + client.get("registration_access_token"));
    assertThat(ask("DELETE", "connect/register", own, access, "").status()).isEqualTo(204);
    EdgeReply refused = ask("POST", "oauth/token", "", basic(client), "grant_type=client_credentials");
    assertThat(refused.status()).isEqualTo(401);
    assertThat(json(refused)).containsEntry("error", "invalid_client");
    assertThat(active(other, Objects.requireNonNull(json(token).get("access_token")))).contains("\"active\":false");
  }

  @Test
  void aChangeCountsAtOnce() {
    Map<String, Object> client = register(Map.of("grant_types", List.of("client_credentials")));
    assertThat(ask("POST", "oauth/token", "", basic(client), "grant_type=client_credentials").status()).isEqualTo(200);
    TestKey key = TestKey.ed25519("ed");
    Object id = client.get("client_id");
    EdgeReply changed =
        ask(
            "PUT",
            "connect/register",
            "client_id=" + id,
            JSON.and("Authorization", "Bearer " + client.get("registration_access_token")),
            StrictJson.write(
                Map.of(
                    "client_id", id, "grant_types", List.of("client_credentials"), "token_endpoint_auth_method",
                    "private_key_jwt", "jwks", Map.of("keys", List.of(key.jwk())))));
    assertThat(changed.status()).as(changed.text()).isEqualTo(200);
    assertThat(json(changed)).doesNotContainKey("client_secret");
    assertThat(ask("POST", "oauth/token", "", basic(client), "grant_type=client_credentials").status()).isEqualTo(401);
    long now = idp.time.instant().getEpochSecond();
    String assertion =
        key.sign(JwsName.EDDSA, Map.of("iss", id, "sub", id, "aud", Idp.ENTITY, "exp", now + 60, "jti", "1"));
    EdgeReply token =
        ask(
            "POST",
            "oauth/token",
            "",
            FORM,
            "grant_type=client_credentials&client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
                + "&client_assertion=" + assertion);
    assertThat(token.status()).as(token.text()).isEqualTo(200);
  }

  @Test
  void aCodeOfOneThatIsNotRegisteredForTheGrantIsNone() {
    Map<String, Object> client = register(Map.of("redirect_uris", List.of("https://app.example/cb")));
    EdgeReply refused = ask("POST", "oauth/token", "", basic(client), "grant_type=client_credentials");
    assertThat(json(refused)).containsEntry("error", "unauthorized_client");
  }
}
