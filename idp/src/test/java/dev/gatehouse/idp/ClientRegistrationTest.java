package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.db.RegisteredClients.RegisteredClient;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.jose.StrictJson;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.realm.OAuthConfig;
import dev.gatehouse.common.realm.OAuthConfig.Registration;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.idp.oauth.FailingServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** RFC 7591, RFC 7592 and OpenID Connect Dynamic Client Registration 1.0, through the edge's dispatcher. */
class ClientRegistrationTest {

  private static final String PATH = "/realms/demo/connect/register";
  private static final Headers JSON = Headers.of("Content-Type", "application/json");
  private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");
  private static final InetAddress ELSEWHERE = InetAddress.ofLiteral("192.0.2.1");

  private final Idp idp = new Idp(realm(Registration.LOOPBACK));

  private static Realm realm(Registration registration) {
    OAuthConfig usual = OAuthConfig.USUAL;
    return TestRealms.change(TestRealms.demo())
        .oauth(
            new OAuthConfig(
                usual.accessTokenLife(), usual.refreshTokenLife(), usual.codeLife(), usual.deviceCodeLife(),
                usual.pushedLife(), registration, usual.scopes(), usual.claims(), Optional.empty(), List.of()))
        .realm();
  }

  private static EdgeReply ask(
      Idp idp, String method, String query, Headers headers, byte[] body, InetAddress client) {
    return idp.dispatch.handle(
        new EdgeRequest(method, Origin.of(URI.create(TestRealms.IDP)), PATH, query, headers, body, client));
  }

  private EdgeReply register(Map<String, ?> metadata) {
    return ask(idp, "POST", "", JSON, bytes(metadata), HERE);
  }

  private static byte[] bytes(Map<String, ?> metadata) {
    return StrictJson.write(metadata).getBytes(StandardCharsets.UTF_8);
  }

  private static Map<String, Object> json(EdgeReply reply) {
    return StrictJson.object(reply.body()).orElseThrow();
  }

  private static String error(EdgeReply reply) {
    Map<String, Object> error = json(reply);
    return reply.status() + " " + error.get("error") + ": " + error.get("error_description");
  }

  private static Map<String, Object> app(Object... more) {
    Map<String, Object> metadata = new LinkedHashMap<>();
    metadata.put("redirect_uris", List.of("https://app.example/callback"));
    for (int i = 0; i < more.length; i += 2) {
      metadata.put(String.valueOf(more[i]), more[i + 1]);
    }
    return metadata;
  }

  private static Headers with(Map<String, Object> registration) {
    return JSON.and("Authorization", "Bearer " + registration.get("registration_access_token"));
  }

  private static String query(Map<String, Object> registration) {
    return "client_id=" + registration.get("client_id");
  }

  @Test
  void registersWithTheDefaultsOfTheSpecifications() {
    EdgeReply reply = register(app("client_name", "An app", "unknown_member", Map.of("a", 1)));
    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.headers().first("Cache-Control")).contains("no-store");
    Map<String, Object> answer = json(reply);
    assertThat(answer)
        .containsEntry("client_name", "An app")
        .containsEntry("token_endpoint_auth_method", "client_secret_basic")
        .containsEntry("grant_types", List.of("authorization_code"))
        .containsEntry("response_types", List.of("code"))
        .containsEntry("id_token_signed_response_alg", "RS256")
        .containsEntry("application_type", "web")
        .containsEntry("client_secret_expires_at", 0)
        .containsEntry("client_id_issued_at", (int) idp.time.instant().getEpochSecond())
        .doesNotContainKey("unknown_member");
    assertThat((String) answer.get("client_secret")).hasSize(43);
    assertThat((String) answer.get("client_id")).matches("[0-9a-f]{32}");
    assertThat((String) answer.get("registration_client_uri"))
        .isEqualTo(Idp.ENTITY + "/connect/register?client_id=" + answer.get("client_id"));
    assertThat(idp.audit.events())
        .filteredOn(AuditEvent.ClientChanged.class::isInstance)
        .singleElement()
        .satisfies(e -> assertThat(((AuditEvent.ClientChanged) e).by()).isEqualTo("loopback"));
  }

  @Test
  void secretsRestSealedAndTokensAsDigests() {
    Map<String, Object> answer = json(register(app()));
    RegisteredClient kept = idp.registeredClients.find("demo", String.valueOf(answer.get("client_id"))).orElseThrow();
    String all = kept.metadata() + kept.secret() + kept.accessDigest();
    assertThat(all)
        .doesNotContain(String.valueOf(answer.get("client_secret")))
        .doesNotContain(String.valueOf(answer.get("registration_access_token")));
  }

  @Test
  void publicClientsAndThoseWithKeysGetNoSecret() {
    assertThat(json(register(app("token_endpoint_auth_method", "none")))).doesNotContainKey("client_secret");
    Map<String, Object> keys = Map.of("keys", List.of(TestKey.p256("ec").jwk()));
    assertThat(json(register(app("token_endpoint_auth_method", "private_key_jwt", "jwks", keys))))
        .doesNotContainKey("client_secret")
        .containsEntry("jwks", keys);
  }

  @Test
  void looksAfterItsOwnRegistration() {
    Map<String, Object> answer = json(register(app("client_name", "Before")));
    EdgeReply read = ask(idp, "GET", query(answer), with(answer), new byte[0], ELSEWHERE);
    assertThat(read.status()).isEqualTo(200);
    assertThat(json(read)).isEqualTo(answer);

    Map<String, Object> wish = app("client_name", "After", "client_id", Objects.requireNonNull(answer.get("client_id")), "client_secret",
        Objects.requireNonNull(answer.get("client_secret")));
    EdgeReply changed = ask(idp, "PUT", query(answer), with(answer), bytes(wish), ELSEWHERE);
    assertThat(changed.status()).isEqualTo(200);
    assertThat(json(changed)).containsEntry("client_name", "After").containsEntry("client_secret", answer.get("client_secret"));

    EdgeReply gone = ask(idp, "DELETE", query(answer), with(answer), new byte[0], ELSEWHERE);
    assertThat(gone.status()).isEqualTo(204);
    assertThat(error(ask(idp, "GET", query(answer), with(answer), new byte[0], ELSEWHERE)))
        .isEqualTo("401 invalid_token: the registration access token is not this client's");
    assertThat(idp.audit.events().stream().filter(AuditEvent.ClientChanged.class::isInstance).map(e -> ((AuditEvent.ClientChanged) e).change()))
        .containsExactly("registered", "changed", "removed");
  }

  @Test
  void nobodyLooksAfterAnothers() {
    Map<String, Object> mine = json(register(app()));
    Map<String, Object> yours = json(register(app()));
    String problem = "401 invalid_token: the registration access token is not this client's";
    for (String method : List.of("GET", "PUT", "DELETE")) {
      byte[] body = method.equals("PUT") ? bytes(app("client_id", Objects.requireNonNull(yours.get("client_id")))) : new byte[0];
      assertThat(error(ask(idp, method, query(yours), with(mine), body, HERE))).as(method).isEqualTo(problem);
      assertThat(error(ask(idp, method, query(yours), JSON, body, HERE))).as(method).isEqualTo(problem);
      assertThat(error(ask(idp, method, "client_id=nobody", with(mine), body, HERE))).as(method).isEqualTo(problem);
    }
    assertThat(error(ask(idp, "PUT", query(mine), with(mine), bytes(app("client_id", Objects.requireNonNull(yours.get("client_id")))), HERE)))
        .isEqualTo("400 invalid_client_metadata: client_id is not this client's");
    assertThat(error(ask(idp, "PUT", query(mine), with(mine),
        bytes(app("client_id", Objects.requireNonNull(mine.get("client_id")), "client_secret", "other")), HERE)))
        .isEqualTo("400 invalid_client_metadata: client_secret is not this client's");
  }

  @Test
  void whoMayRegister() {
    byte[] body = bytes(app());
    Headers token = JSON.and("Authorization", "Bearer " + Idp.REGISTRATION_TOKEN);
    String needed = "401 invalid_token: an initial access token is needed";
    assertThat(error(ask(idp, "POST", "", JSON, body, ELSEWHERE))).isEqualTo(needed);
    assertThat(ask(idp, "POST", "", token, body, ELSEWHERE).status()).isEqualTo(201);
    assertThat(error(ask(idp, "POST", "", JSON.and("Authorization", "Bearer other"), body, HERE)))
        .isEqualTo("401 invalid_token: the initial access token is not known");
    for (String between : List.of("X-Forwarded-For", "Forwarded", "Via", "Origin")) {
      assertThat(error(ask(idp, "POST", "", JSON.and(between, "198.51.100.7"), body, HERE))).as(between).isEqualTo(needed);
    }

    Idp byToken = new Idp(realm(Registration.TOKEN));
    assertThat(error(ask(byToken, "POST", "", JSON, body, HERE))).isEqualTo(needed);
    assertThat(ask(byToken, "POST", "", token, body, HERE).status()).isEqualTo(201);

    Idp closed = new Idp(realm(Registration.CLOSED));
    assertThat(error(ask(closed, "POST", "", token, body, HERE)))
        .isEqualTo("400 access_denied: clients are registered by administrators alone");
  }

  @Test
  void whatIsNotJsonIsRefused() {
    String unreadable = "400 invalid_client_metadata: the body is not a JSON object";
    for (String body : List.of("", "[]", "null", "{", "{\"redirect_uris\":1,\"redirect_uris\":2}", "{\"a\":" + "[".repeat(200))) {
      assertThat(error(ask(idp, "POST", "", JSON, body.getBytes(StandardCharsets.UTF_8), HERE))).as(body).isEqualTo(unreadable);
    }
    assertThat(error(ask(idp, "POST", "", Headers.of("Content-Type", "text/plain"), bytes(app()), HERE)))
        .isEqualTo("400 invalid_client_metadata: the Content-Type is not application/json");
  }

  @Test
  void redirectUrisThatNobodyMayHave() {
    for (String uri : List.of("javascript:alert(1)", "data:text/html,x", "https://app.example/#f", "http://app.example/",
        "https://user@app.example/", "//app.example/", "myapp:callback", "https:///x")) {
      assertThat(error(register(Map.of("redirect_uris", List.of(uri))))).as(uri).startsWith("400 invalid_redirect_uri: a redirect URI ");
    }
    assertThat(error(register(Map.of("client_name", "No way back")))).isEqualTo("400 invalid_redirect_uri: redirect_uris is missing");
    assertThat(register(Map.of("redirect_uris", List.of("http://127.0.0.1:9999/cb", "org.example.app:/cb"))).status()).isEqualTo(201);
  }

  @Test
  void metadataThatMakesNoSense() {
    Object[][] wrong = {
      {"grant_types", List.of("implicit"), "response_types", List.of("code"), "grant_types and response_types do not belong together"},
      {"grant_types", List.of("password"), "x", 1, "grant_types has one that is not supported here"},
      {"response_types", List.of("code device"), "x", 1, "response_types has one that is not supported here"},
      {"token_endpoint_auth_method", "private_key_jwt", "x", 1, "jwks or jwks_uri is missing: the client authenticates with its keys"},
      {"token_endpoint_auth_method", "magic", "x", 1, "token_endpoint_auth_method is not one that is supported here"},
      {"token_endpoint_auth_method", "none", "grant_types", List.of("authorization_code", "client_credentials"),
        "grant_types has client_credentials, but the client has no credentials"},
      {"jwks", Map.of("keys", List.of()), "jwks_uri", "https://app.example/jwks", "jwks and jwks_uri exclude each other"},
      {"jwks", Map.of("keys", List.of(Map.of("kty", "oct", "k", "AAAA"))), "x", 1, "jwks is not usable: a key is private or symmetric"},
      {"jwks_uri", "http://app.example/jwks", "x", 1, "jwks_uri is not an https address"},
      {"id_token_signed_response_alg", "none", "x", 1, "id_token_signed_response_alg is not one that is supported here"},
      {"id_token_encrypted_response_enc", "A128GCM", "x", 1, "id_token_encrypted_response_enc stands without id_token_encrypted_response_alg"},
      {"id_token_encrypted_response_alg", "RSA-OAEP-256", "x", 1, "id_token_encrypted_response_alg needs the client's keys"},
      {"logo_uri", "javascript:alert(1)", "x", 1, "logo_uri is not an https address"},
      {"client_name", "A\u202eppa", "x", 1, "client_name is not a short text"},
      {"redirect_uris", "https://app.example", "x", 1, "redirect_uris is not a short list of texts"},
      {"default_max_age", -1, "x", 1, "default_max_age is not a number of seconds up to 31536000"},
      {"frontchannel_logout_uri", "https://other.example/out", "x", 1, "frontchannel_logout_uri has another origin than the redirect URIs"},
      {"token_endpoint_auth_method", "tls_client_auth", "tls_client_auth_subject_dn", "CN=app", "tls_client_auth is not supported here"},
    };
    for (Object[] one : wrong) {
      assertThat(error(register(app(one[0], one[1], one[2], one[3]))))
          .as(String.valueOf(one[0]))
          .isEqualTo("400 invalid_client_metadata: " + one[4]);
    }
  }

  @Test
  void whatIsLeftOutFollowsFromWhatIsThere() {
    assertThat(json(register(app("response_types", List.of("code id_token")))))
        .containsEntry("grant_types", List.of("authorization_code", "implicit"));
    assertThat(json(register(app("response_types", List.of("id_token token"))))).containsEntry("grant_types", List.of("implicit"));
    assertThat(json(register(Map.of("grant_types", List.of("client_credentials"))))).containsEntry("response_types", List.of());
  }

  @Test
  void scopesOfOurOwnNeedAnAdministratorsToken() {
    assertThat(json(register(app("scope", "openid roles profile")))).containsEntry("scope", "openid profile");
    Headers token = JSON.and("Authorization", "Bearer " + Idp.REGISTRATION_TOKEN);
    EdgeReply trusted = ask(idp, "POST", "", token, bytes(app("scope", "openid roles unknown")), ELSEWHERE);
    assertThat(json(trusted)).containsEntry("scope", "openid roles");
  }

  @Test
  void theSectorListsTheRedirectUris() throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress(HERE, 0), 0);
    server.createContext("/", exchange -> {
      byte[] body = exchange.getRequestURI().getPath().equals("/good")
          ? "[\"https://app.example/callback\",\"https://two.example/cb\"]".getBytes(StandardCharsets.UTF_8)
          : "[\"https://other.example/\"]".getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    try {
      String base = "http://127.0.0.1:" + server.getAddress().getPort();
      List<String> two = List.of("https://app.example/callback", "https://two.example/cb");
      assertThat(error(register(Map.of("redirect_uris", two, "subject_type", "pairwise"))))
          .isEqualTo(
              "400 invalid_client_metadata: sector_identifier_uri is missing: the redirect URIs are not all https addresses of one host");
      assertThat(register(Map.of("redirect_uris", two, "subject_type", "pairwise", "sector_identifier_uri", base + "/good")).status())
          .isEqualTo(201);
      for (String host : List.of("https://two.example", base)) {
        Map<String, Object> notified =
            Map.of("redirect_uris", two, "subject_type", "pairwise", "sector_identifier_uri", base + "/good",
                "backchannel_logout_uri", host + "/out");
        assertThat(register(notified).status()).as(host).isEqualTo(201);
      }
      assertThat(error(register(Map.of("redirect_uris", two, "subject_type", "pairwise", "sector_identifier_uri", base + "/bad"))))
          .isEqualTo("400 invalid_client_metadata: sector_identifier_uri does not list the redirect URIs");
    } finally {
      server.stop(0);
    }
    assertThat(error(register(app("subject_type", "pairwise", "sector_identifier_uri", "https://10.0.0.1/sector"))))
        .as("SECURITY-CASES 31: a private address")
        .isEqualTo("400 invalid_client_metadata: sector_identifier_uri could not be fetched: its address is not one that may be called: not "
            + "public, or not https");
  }

  /** A client would learn another sector's subjects by a device, with redirect URIs that it only copied, or with none. */
  @Test
  void aDeviceProvesNoSector() {
    String device = "urn:ietf:params:oauth:grant-type:device_code";
    String refused = "400 invalid_client_metadata: subject_type pairwise is not for clients of devices, which prove no sector";
    Map<String, Object> none =
        Map.of("grant_types", List.of(device), "subject_type", "pairwise", "sector_identifier_uri", "https://app.example/sector");
    assertThat(error(register(none))).isEqualTo(refused);
    Map<String, Object> copied = app("grant_types", List.of("authorization_code", device), "subject_type", "pairwise");
    assertThat(error(register(copied))).isEqualTo(refused);
    assertThat(register(app("grant_types", List.of("authorization_code", device))).status()).isEqualTo(201);
  }

  @Test
  void theCauseOfAFailedFetchOfTheSectorIsNamed() throws Exception {
    try (FailingServer failing = new FailingServer()) {
      failing
          .causes()
          .forEach(
              (uri, cause) ->
                  assertThat(error(register(app("subject_type", "pairwise", "sector_identifier_uri", uri))))
                      .startsWith("400 invalid_client_metadata: sector_identifier_uri ")
                      .endsWith(": " + cause));
      assertThat(error(register(app("subject_type", "pairwise", "sector_identifier_uri", failing.text()))))
          .isEqualTo(
              "400 invalid_client_metadata: sector_identifier_uri is not usable: its content is not a JSON array");
    }
  }
}
