package dev.gatehouse.gateway.admin.partner;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.ProviderConfig;
import dev.gatehouse.common.realm.ProviderConfig.Proof;
import dev.gatehouse.gateway.admin.StoredAdmin;
import dev.gatehouse.gateway.admin.TestAdmin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** OpenID providers are imported by their issuer. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ProviderImportTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String PATH = "/admin/v1/realms/demo/providers/import";

  /** RFC 7517, appendix A.1. */
  private static final String KEYS =
      """
      {"keys":[{"kty":"EC","crv":"P-256","use":"sig","kid":"<1>","alg":"ES256",
        "x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4","y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]}
      """;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> answers = new HashMap<>();
  private StoredAdmin stored;
  private HttpServer server;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException, ConfigurationInvalid {
    stored = new StoredAdmin(folder);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String answer = answers.get(exchange.getRequestURI().getPath());
          byte[] body = answer == null ? new byte[0] : answer.getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterAll
  void stop() {
    http.close();
    server.stop(0);
    stored.close();
  }

  @BeforeEach
  void wellBehaved() {
    stored.admin.audit.clear();
    answers.clear();
    answers.put("/keys", KEYS);
    discovery(Map.of());
  }

  private String issuer() {
    return "http://localhost:" + server.getAddress().getPort();
  }

  /** Serves a discovery document with other members; an empty text leaves one out. */
  private void discovery(Map<String, Object> other) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("issuer", issuer());
    document.put("jwks_uri", issuer() + "/keys");
    document.put("authorization_endpoint", issuer() + "/authorize");
    document.put("token_endpoint", issuer() + "/token");
    document.put("end_session_endpoint", issuer() + "/logout");
    document.put("response_types_supported", List.of("code"));
    document.put("id_token_signing_alg_values_supported", List.of("ES256"));
    document.put("token_endpoint_auth_methods_supported", List.of("client_secret_basic", "private_key_jwt"));
    document.put("code_challenge_methods_supported", List.of("S256"));
    document.put("scopes_supported", List.of("openid", "profile"));
    document.put("authorization_response_iss_parameter_supported", true);
    document.putAll(other);
    document.values().removeIf(""::equals);
    answers.put("/.well-known/openid-configuration", JSON.writeValueAsString(document));
  }

  private HttpResponse<String> send(String query, Map<String, Object> body) throws IOException, InterruptedException {
    Map<String, Object> all = new HashMap<>(Map.of("issuer", issuer()));
    all.putAll(body);
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + stored.admin.port() + PATH + query))
            .header("Authorization", "Bearer " + stored.admin.key)
            .header("Content-Type", "application/json")
            .header("If-Match", "\"" + stored.realms.number() + "\"")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(all)))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private void refused(String key, String why, Map<String, Object> body) throws IOException, InterruptedException {
    HttpResponse<String> response = send("", body);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(422);
    JsonNode problems = JSON.readTree(response.body()).get("problems");
    assertThat(problems).as(response.body()).anySatisfy(
        problem -> {
          assertThat(problem.get("key").asString()).isEqualTo(key);
          assertThat(problem.get("message").asString()).contains(why);
        });
  }

  @Test
  void aProviderIsShownFirstAndThenImportedWithANamedSecret() throws IOException, InterruptedException {
    stored.admin.json("PUT", "/admin/v1/secrets/demo.login", "{\"text\":\"hunter22\"}");
    Map<String, Object> wanted = Map.of("clientId", "gatehouse", "secret", "demo.login", "settings", Map.of("scopes", List.of("profile", "mail")));
    long before = stored.realms.number();
    HttpResponse<String> preview = send("?dryRun=true", wanted);
    assertThat(preview.statusCode()).as(preview.body()).isEqualTo(200);
    JsonNode found = JSON.readTree(preview.body()).get("found");
    assertThat(found.get("signingKeys").get(0).get("id").asString()).isEqualTo("<1>");
    assertThat(found.get("redirectUri").asString()).isEqualTo("http://app.localhost:8000/.gatehouse/oidc/callback");
    assertThat(found.get("notes").toString()).contains("does not list the scope mail").doesNotContain("PKCE", "end_session");
    assertThat(JSON.readTree(preview.body()).get("entry").asString()).contains("secret: {secret: demo.login}").doesNotContain("hunter22");
    assertThat(stored.realms.number()).isEqualTo(before);
    Map<String, Object> seen = new HashMap<>(wanted);
    seen.put("digest", JSON.readTree(preview.body()).get("digest").asString());
    HttpResponse<String> done = send("", seen);
    assertThat(done.statusCode()).as(done.body()).isEqualTo(201);
    ProviderConfig config = stored.realms.inUse().find("demo").orElseThrow().parties().providers().getFirst();
    assertThat(config.issuer()).isEqualTo(issuer());
    assertThat(config.client().orElseThrow().proof()).isInstanceOf(Proof.SecretBasic.class);
    assertThat(config.scopes()).containsExactly("openid", "profile", "mail");
    assertThat(stored.admin.audit.events(Administered.class)).extracting(Administered::action).contains("provider.fetch", "provider.import", "configuration.apply");
    assertThat(send("", Map.of("authentication", "private_key_jwt")).statusCode()).as("the secret has no effect then").isEqualTo(422);
    HttpResponse<String> again = send("", Map.of("clientId", "other"));
    assertThat(again.statusCode()).as(again.body()).isEqualTo(201);
    assertThat(stored.realmFile()).contains("clientId: other", "secret: {secret: demo.login}", "# The first one.");
    discovery(Map.of("scopes_supported", List.of("openid")));
    refused("digest", "another than that of the preview", seen);
  }

  /** RFC 9700, section 4.4. */
  @Test
  void aProviderThatDoesNotNameItselfIsToHaveAnAlias() throws IOException, InterruptedException {
    discovery(Map.of("authorization_response_iss_parameter_supported", ""));
    HttpResponse<String> without = send("?dryRun=true", Map.of("clientId", "gatehouse"));
    assertThat(JSON.readTree(without.body()).get("found").get("notes").toString()).contains("RFC 9207", "`alias`");
    HttpResponse<String> with = send("?dryRun=true", Map.of("clientId", "gatehouse", "settings", Map.of("alias", "customers")));
    assertThat(with.statusCode()).as(with.body()).isEqualTo(200);
    JsonNode found = JSON.readTree(with.body()).get("found");
    assertThat(found.get("redirectUri").asString()).isEqualTo("http://app.localhost:8000/.gatehouse/oidc/callback/customers");
    assertThat(found.get("notes").toString()).doesNotContain("RFC 9207");
    assertThat(JSON.readTree(with.body()).get("entry").asString()).contains("alias: customers");
  }

  @Test
  void whatIsMissingOrWrongIsSaidAllAtOnce() throws IOException, InterruptedException {
    Map<String, Object> login = Map.of("clientId", "gatehouse");
    discovery(
        Map.of(
            "authorization_endpoint", "", "token_endpoint", "", "response_types_supported", List.of("id_token"),
            "id_token_signing_alg_values_supported", List.of("RS512", "none"), "token_endpoint_auth_methods_supported", ""));
    HttpResponse<String> all = send("?dryRun=true", login);
    assertThat(all.statusCode()).isEqualTo(422);
    assertThat(JSON.readTree(all.body()).get("problems").findValuesAsString("key"))
        .containsExactly("authorization_endpoint", "token_endpoint", "response_types_supported", "id_token_signing_alg_values_supported", "authentication");
    assertThat(send("?dryRun=true", Map.of()).statusCode()).as("for access tokens only").isEqualTo(200);
    refused("userinfo_endpoint", "is missing", Map.of("clientId", "gatehouse", "settings", Map.of("userInfo", true)));
    discovery(Map.of("issuer", "https://evil.example/<b>"));
    refused("issuer", "another issuer: https://evil.example/<b>", login);
    discovery(Map.of("token_endpoint", "http://idp.example.org/token"));
    refused("issuer", "token_endpoint is not an https URL", login);
    discovery(Map.of("jwks_uri", ""));
    refused("issuer", "has no jwks_uri", login);
    discovery(Map.of("jwks_uri", "https://10.0.0.1/keys"));
    refused("jwks_uri", "", login);
    discovery(Map.of());
    answers.put("/keys", "{\"keys\":[]}");
    refused("jwks_uri", "has no key for", login);
    answers.put("/keys", "{\"keys\":[{\"kty\":\"oct\",\"k\":\"aHVudGVy\"}]}");
    refused("jwks_uri", "private or symmetric", login);
    answers.put("/.well-known/openid-configuration", "<html>hunter2</html>");
    refused("issuer", "not a JSON object", login);
    answers.clear();
    refused("issuer", "answers 404", login);
    assertThat(stored.admin.audit.events(Administered.class)).extracting(Administered::action).doesNotContain("provider.import");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nonsense", "https://a b/", "https://idp.example.org/?a=b", "https://idp.example.org/#f", "https://user:pw@idp.example.org"})
  void anIssuerIsAUrlWithoutQueryAndFragment(String issuer) throws IOException, InterruptedException {
    assertThat(send("?dryRun=true", Map.of("issuer", issuer)).statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://10.1.2.3", "https://169.254.169.254", "ftp://idp.example.org", "http://[::ffff:10.0.0.1]"})
  void addressesThatAreNotPublicAreNotFetched(String issuer) throws IOException, InterruptedException {
    assertThat(send("?dryRun=true", Map.of("issuer", issuer)).statusCode()).isEqualTo(422);
  }

  @Test
  void theRequestIsCheckedFirst(@TempDir Path folder) throws IOException, InterruptedException {
    assertThat(send("?dryRun=true", Map.of("settings", Map.of("secret", "x"))).statusCode()).isEqualTo(400);
    assertThat(stored.admin.post(PATH, JSON.writeValueAsString(Map.of("issuer", issuer()))).statusCode()).isEqualTo(428);
    assertThat(stored.admin.post(PATH + "?dryRun=true", "{}").statusCode()).isEqualTo(400);
    assertThat(stored.admin.post(PATH.replace("demo", "none") + "?dryRun=true", JSON.writeValueAsString(Map.of("issuer", issuer()))).statusCode()).isEqualTo(404);
    try (TestAdmin files = new TestAdmin(folder)) {
      assertThat(files.post(PATH, JSON.writeValueAsString(Map.of("issuer", issuer()))).statusCode()).isEqualTo(409);
      assertThat(files.audit.events(Administered.class)).as("nothing was fetched").isEmpty();
    }
    assertThat(Objects.requireNonNull(answers.get("/keys"))).isNotEmpty();
  }
}
