package dev.gatehouse.gateway.revision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.AdministratorGrants.PersonGrant;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.common.revision.StoredRealms.Change;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.gateway.admin.TestAdmin;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.admin.partner.PartnerMetadataFixture;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** An administrator of the realm sales changes it by REST, and neither sees nor changes anything of the realm board. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RealmAdministrationTest {

  private static final InstantSource NOW = InstantSource.fixed(Instant.parse("2026-11-23T16:00:00Z"));
  private static final String NODE =
      """
      configuration: {source: database}
      data: ../data
      roles: [sp, gateway]
      realms:
        sales: {hosts: [sales.localhost], upstreams: ["127.0.0.1:9000", "127.0.0.1:9001"], outbound: ["https://idp.example.org"]}
      """;
  private static final String REALM =
      """
      sp:
        publicUrl: http://NAME.localhost:8000
        identityProvider: https://idp.example.org
      partners:
        - entityId: https://idp.example.org
          metadata: {url: "https://idp.example.org/metadata"}
      routes:
        - name: NAME-app
          path: /
          upstream: http://127.0.0.1:PORT
      """;
  private static final String ENTRY = "/admin/v1/configuration/realms/sales/routes/entry?id=sales-app";

  private final HttpClient http = HttpClient.newHttpClient();
  private final Database database = Database.inMemory();
  private final RevisionStore store = new RevisionStore(database, SealingKey.inMemory(new SecureRandom()), NOW);
  private StoredRealms realms;
  private TestAdmin admin;
  private String key;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException, ConfigurationInvalid {
    Path config = folder.resolve("config");
    Files.createDirectories(config.resolve("realms"));
    Files.writeString(config.resolve("gatehouse.yaml"), NODE);
    Files.writeString(config.resolve("realms/sales.yaml"), REALM.replace("NAME", "sales").replace("PORT", "9000"));
    Files.writeString(config.resolve("realms/board.yaml"), REALM.replace("NAME", "board").replace("PORT", "9002"));
    ConfigurationFiles files = new ConfigurationFiles(config, Map.of());
    realms = StoredRealms.open(files, files.loadNode().node(), store, new RecordingAuditLog(), NOW);
    admin =
        new TestAdmin(
            folder.resolve("admin"),
            beans -> {
              beans.registerBean(RevisionStore.class, () -> store);
              beans.registerBean(StoredRealms.class, () -> realms);
              beans.registerBean(Realms.class, () -> realms.inUse());
              beans.registerBean(
                  ConfigurationControl.class, () -> new StoredConfiguration(realms, beans.getBean(AdministratorGrants.class)));
            });
    key = admin.key("mallory", List.of(AdministratorGrant.parse("admin@sales")), Optional.empty());
  }

  @BeforeEach
  void asAtFirst() {
    Change back = realms.rollBack(
            1, new ProposedChange(realms.number(), Map.of(), false, Map.of(), "ops", "-", ChangeScope.all()), ChangeScope.all(), files -> {});
    assertThat(back).isInstanceOfAny(Change.Applied.class, Change.Unchanged.class);
  }

  @AfterAll
  void stop() {
    http.close();
    admin.close();
    database.close();
  }

  private HttpResponse<String> send(String method, String path, String body) throws IOException, InterruptedException {
    return send(key, method, path, body);
  }

  private HttpResponse<String> send(String by, String method, String path, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + admin.port() + path))
            .header("Authorization", "Bearer " + by)
            .header("Content-Type", "application/json")
            .header("If-Match", "\"" + realms.number() + "\"")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private void is(int status, HttpResponse<String> response) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.body()).doesNotContain("board", "9002");
  }

  private static String file(String path, String text) {
    return "{\"files\":[" + JsonMapper.shared().writeValueAsString(Map.of("path", path, "text", text)) + "]}";
  }

  private String text() {
    return new String(
        Objects.requireNonNull(store.tree(realms.number()).files().get("realms/sales.yaml")).content(), StandardCharsets.UTF_8);
  }

  @Test
  void entriesChangeWithinTheGrant() throws IOException, InterruptedException {
    is(200, send("GET", "/admin/v1/configuration/realms/sales/routes", ""));
    is(201, send("PATCH", ENTRY, "{\"upstream\":\"http://127.0.0.1:9001\"}"));
    assertThat(admin.audit.events(Administered.class).getLast().details()).containsEntry("role", "admin").containsEntry("files", "realms/sales.yaml");
    HttpResponse<String> refused = send("PATCH", ENTRY, "{\"upstream\":\"http://127.0.0.1:9003\"}");
    is(422, refused);
    assertThat(refused.body()).contains("routes[0].upstream", "is no server that this realm is granted", "granted are 127.0.0.1:9000, 127.0.0.1:9001");
    is(422, send("PATCH", ENTRY, "{\"upstream\":\"http://127.0.0.1:8081\"}"));
    assertThat(send("PUT", ENTRY.replace("sales/", "board/"), "{}").statusCode()).isEqualTo(403);
    assertThat(send("GET", "/admin/v1/configuration/realms/board/routes", "").statusCode()).isEqualTo(403);
  }

  @Test
  void filesAreProposedAndApplied() throws IOException, InterruptedException {
    String changed = text().replace("9000", "9001");
    HttpResponse<String> plan = send("POST", "/admin/v1/revisions?dryRun=true", file("realms/sales.yaml", changed));
    is(200, plan);
    assertThat(plan.body()).contains("127.0.0.1:9001");
    is(201, send("POST", "/admin/v1/revisions", file("realms/sales.yaml", changed)));
    assertThat(realms.inUse().all()).hasSize(2);
    is(422, send("POST", "/admin/v1/revisions", file("realms/sales.yaml", changed.replace("sales.localhost", "other.localhost"))));
    assertThat(send("POST", "/admin/v1/revisions", file("realms/board.yaml", changed)).statusCode()).isEqualTo(403);
    assertThat(send("POST", "/admin/v1/revisions", file("pages/x.html", changed)).statusCode()).isEqualTo(400);
    String removing = file("realms/sales.yaml", text()).replaceFirst("^\\{", "{\"complete\":true,");
    is(422, send("POST", "/admin/v1/revisions", removing));
    is(200, send("GET", "/admin/v1/revisions/1/files?realm=sales", ""));
    is(200, send("GET", "/admin/v1/revisions/" + realms.number() + "/diff?realm=sales", ""));
    assertThat(send("GET", "/admin/v1/revisions/2/diff", "").statusCode()).isEqualTo(403);
    is(201, send("POST", "/admin/v1/revisions/1/rollback?realm=sales", ""));
    assertThat(text()).contains("9000");
    assertThat(send("POST", "/admin/v1/revisions/1/rollback", "").statusCode()).isEqualTo(403);
  }

  /** Another node, which uses the same database, names the realm in admin.realm; this one has no identity provider and cannot. */
  @Test
  void aRealmWhosePeopleAreAdministratorsIsChangedByThoseOfAllRealms() throws IOException, InterruptedException {
    PersonId alice = new PersonId("alice-id");
    String settings = "/admin/v1/configuration/realms/sales";
    String changed = text().replace("9000", "9001");
    admin.grants().put(new PersonGrant("sales", alice, "alice", AdministratorGrant.ALL, Optional.empty(), "ops", NOW.instant()), false);
    try {
      is(403, send("PATCH", settings, "{\"brand\":{\"displayName\":\"Ours\"}}"));
      is(403, send("PATCH", ENTRY, "{\"upstream\":\"http://127.0.0.1:9001\"}"));
      is(403, send("POST", "/admin/v1/revisions", file("realms/sales.yaml", changed)));
      is(403, send("PUT", "/admin/v1/realms/sales/secrets/sales.crm", "{\"text\":\"hunter22\"}"));
      is(403, send("DELETE", settings, ""));
      HttpResponse<String> removal = send(admin.key, "DELETE", settings, "");
      assertThat(removal.statusCode()).as(removal.body()).isEqualTo(409);
      assertThat(removal.body()).contains("take the roles of its people first");
    } finally {
      admin.grants().remove("sales", alice, Optional.empty(), true);
    }
    is(201, send("PATCH", settings, "{\"brand\":{\"displayName\":\"Ours\"}}"));
  }

  @Test
  void aLateChangeIsToldNothingOfOtherRealms() throws IOException, InterruptedException {
    String text = REALM.replace("NAME", "board").replace("PORT", "9002").replace("board-app", "minutes");
    byte[] board = text.getBytes(StandardCharsets.UTF_8);
    long first = realms.number();
    realms.apply(new ProposedChange(first, Map.of("realms/board.yaml", board), false, Map.of(), "ops", "-", ChangeScope.all()));
    HttpRequest late =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + admin.port() + ENTRY))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .header("If-Match", "\"" + first + "\"")
            .method("PATCH", HttpRequest.BodyPublishers.ofString("{}"))
            .build();
    HttpResponse<String> response = http.send(late, HttpResponse.BodyHandlers.ofString());
    is(412, response);
    assertThat(response.body()).doesNotContain("minutes");
  }

  @Test
  void partnersAreImportedWithinTheGrantAndNothingIsSaidOfOtherRealms() throws IOException, InterruptedException, CertificateEncodingException {
    String path = "/admin/v1/realms/sales/partners/import";
    String entity = "http://sales.localhost:8000/partner";
    String xml = PartnerMetadataFixture.idp(entity, Instant.parse("2026-12-23T16:00:00Z"), SamlFixtures.idpKey());
    String ofBoard = xml.replace(entity, "http://board.localhost:8000/.gatehouse/saml/metadata").replaceFirst("<ds:Signature .*?</ds:Signature>", "");
    is(200, send("POST", path + "?dryRun=true", json(Map.of("xml", xml))));
    is(201, send("POST", path, json(Map.of("xml", xml, "verifyWith", PartnerMetadataFixture.pem(SamlFixtures.idpKey())))));
    assertThat(text()).contains("metadata: {file: sales/metadata/").contains("verifyWith: sales/metadata/");
    HttpResponse<String> foreign = send("POST", path + "?dryRun=true", json(Map.of("xml", ofBoard)));
    assertThat(foreign.statusCode()).as("as for an entity that nobody has: " + foreign.body()).isEqualTo(200);
    assertThat(foreign.body()).doesNotContain("realm board", "this node's own");
    for (String url : List.of("https://other.example.org/metadata", "https://127.0.0.1:8081/", "http://idp.example.org/", "https://idp.example.org.evil.example/", "x")) {
      HttpResponse<String> refused = send("POST", path + "?dryRun=true", json(Map.of("url", url)));
      is(422, refused);
      assertThat(refused.body()).as(url).containsAnyOf("is not where this realm may connect to", "is a listener of this node's administration");
    }
    is(422, send("POST", path, json(Map.of("xml", xml, "settings", Map.of("colour", "blue")))));
    assertThat(send("POST", path.replace("sales", "board"), json(Map.of("xml", xml))).statusCode()).isEqualTo(403);
  }

  @Test
  void providersAndAggregatesAreFetchedWithinTheGrant() throws IOException, InterruptedException, CertificateEncodingException {
    HttpResponse<String> provider =
        send("POST", "/admin/v1/realms/sales/providers/import?dryRun=true", json(Map.of("issuer", "https://other.example.org")));
    is(422, provider);
    assertThat(provider.body()).contains("is not where this realm may connect to", "granted are https://idp.example.org:443");
    Map<String, Object> order =
        Map.of("url", "https://other.example.org/all", "all", true, "verifyWith", PartnerMetadataFixture.pem(SamlFixtures.idpKey()));
    HttpResponse<String> job = send("POST", "/admin/v1/realms/sales/partners/import-aggregate", json(order));
    is(202, job);
    String address = job.headers().firstValue("Location").orElseThrow();
    Eventually.holds(() -> body(address).contains("is not where this realm may connect to"));
    HttpResponse<String> tested = send("POST", "/admin/v1/realms/sales/partners/test?id=https://idp.example.org", "");
    assertThat(tested.statusCode()).as(tested.body()).isIn(200, 404);
  }

  private String body(String path) {
    try {
      return send("GET", path, "").body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String json(Object value) {
    return JsonMapper.shared().writeValueAsString(value);
  }

  @Test
  void ownSecretsAreStored() throws IOException, InterruptedException {
    String path = "/admin/v1/realms/sales/secrets/";
    is(200, send("PUT", path + "sales.crm", "{\"text\":\"hunter22\"}"));
    HttpResponse<String> list = send("GET", "/admin/v1/realms/sales/secrets", "");
    is(200, list);
    assertThat(list.body()).contains("sales.crm").doesNotContain("hunter22");
    is(204, send("DELETE", path + "sales.crm", ""));
    assertThat(send("PUT", path + "board.crm", "{\"text\":\"x\"}").statusCode()).isEqualTo(400);
    assertThat(send("PUT", "/admin/v1/secrets/sales.crm", "{\"text\":\"x\"}").statusCode()).isEqualTo(403);
    assertThat(send("GET", "/admin/v1/secrets", "").statusCode()).isEqualTo(403);
  }

  @Test
  void decisionsByProposedTextsAreLimited() throws IOException, InterruptedException {
    String question = "{\"realm\":\"sales\",\"url\":\"http://sales.localhost:8000/\",\"configuration\":%s}";
    is(200, send("POST", "/admin/v1/decisions", question.formatted(JsonMapper.shared().writeValueAsString(text()))));
    String wrong = text().replace("9000", "9002");
    HttpResponse<String> refused = send("POST", "/admin/v1/decisions", question.formatted(JsonMapper.shared().writeValueAsString(wrong)));
    assertThat(refused.statusCode()).as(refused.body()).isEqualTo(422);
    assertThat(refused.body()).contains("is no server that this realm is granted").doesNotContain("board");
    String board = question.replace("\"realm\":\"sales\"", "\"realm\":\"board\"").formatted("\"sp: {}\"");
    assertThat(send("POST", "/admin/v1/decisions", board).statusCode()).isEqualTo(403);
  }
}
