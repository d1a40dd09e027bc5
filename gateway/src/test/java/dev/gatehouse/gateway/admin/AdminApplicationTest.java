package dev.gatehouse.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.realm.Problem;
import dev.gatehouse.gateway.metrics.ActuatorReport;
import java.io.IOException;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.health.contributor.Health;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdminApplicationTest {
  private static final JsonMapper JSON = new JsonMapper();

  private TestAdmin admin;

  @BeforeAll
  void start(@TempDir Path data) {
    admin = new TestAdmin(data);
  }

  @AfterAll
  void stop() {
    admin.close();
  }

  @BeforeEach
  void clean() {
    admin.audit.clear();
    admin.audit.breakDown(false);
    admin.wrongKeys.set(0);
    admin.problems.clear();
    admin.idpSessions.sessions.clear();
    admin.appSessions.sessions.clear();
  }

  @Test
  void withoutAKeyItIs401AndWithAnUnknownOne403() throws IOException, InterruptedException {
    HttpResponse<String> without = admin.send("GET", "/admin/v1/realms");
    assertThat(without.statusCode()).isEqualTo(401);
    assertThat(without.headers().firstValue("WWW-Authenticate")).hasValue("Bearer realm=\"gatehouse-admin\"");
    assertThat(without.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
    HttpResponse<String> unknown = admin.send("GET", "/admin/v1/realms", "Authorization", "Bearer gha_nonsense");
    assertThat(unknown.statusCode()).isEqualTo(403);
    assertThat(JSON.readTree(unknown.body()).get("status").asInt()).isEqualTo(403);
  }

  /** By hand, since clients tidy paths up. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/admin;x/v1/realms", "/admin/v1;x/realms", "/%61dmin/v1/realms", "/admin/%76%31/realms", "//admin/v1/realms",
        "/admin//v1/realms", "/./admin/v1/realms", "/x/../admin/v1/realms", "/actuator/..;/admin/v1/realms",
        "/actuator/health/../../admin/v1/realms", "/admin/v1/openapi.json/../realms", "/admin/v1/openapi.json;/../realms",
        "/admin/v1/openapi.json%2f..%2frealms", "/ADMIN/v1/realms", "/admin/v1/realms/", "/admin/v1/realms.json",
        "/admin\\v1\\realms", "http://x/admin/v1/realms", "/admin%2fv1/realms"
      })
  void noSpellingOfAPathPassesWithoutAKey(String path) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", admin.port())) {
      socket.setSoTimeout(20_000);
      String request = "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String response = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(response).startsWith("HTTP/1.1 4").doesNotContain("\"realms\"");
    }
  }

  @Test
  void wrongKeysAreThrottled() throws IOException, InterruptedException {
    for (int i = 0; i < 3; i++) {
      assertThat(admin.send("GET", "/admin/v1/realms", "Authorization", "Bearer wrong").statusCode()).isEqualTo(403);
    }
    HttpResponse<String> refused = admin.send("GET", "/admin/v1/realms", "Authorization", "Bearer wrong");
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.headers().firstValue("Retry-After")).hasValue("42");
  }

  @Test
  void theRightKeyIsTakenHoweverManyWrongOnesCame() throws IOException, InterruptedException {
    for (int i = 0; i < 10; i++) {
      admin.send("GET", "/admin/v1/realms", "Authorization", "Bearer wrong");
    }
    assertThat(admin.authorized("GET", "/admin/v1/realms").statusCode()).isEqualTo(200);
    assertThat(admin.send("GET", "/admin/v1/realms", "Authorization", "Bearer wrong").statusCode()).isEqualTo(429);
  }

  @Test
  void wrongKeysAreAuditedWithTheirAddress() throws IOException, InterruptedException {
    admin.send("GET", "/admin/v1/realms", "Authorization", "Bearer wrong");
    AuditEvent.MessageRefused refused = admin.audit.events(AuditEvent.MessageRefused.class).getFirst();
    assertThat(refused.reason()).isEqualTo("ADMINISTRATOR_KEY_UNKNOWN");
    assertThat(refused.context().client()).isEqualTo("127.0.0.1");
  }

  @Test
  void anExpiredKeyIsAnsweredAsAnUnknownOneAndAuditedByName() throws IOException, InterruptedException {
    String expired = admin.key("late", List.of(AdministratorGrant.ALL), Optional.of(TestTime.START));
    HttpResponse<String> refused = admin.send("GET", "/admin/v1/realms", "Authorization", "Bearer " + expired);
    HttpResponse<String> unknown = admin.send("GET", "/admin/v1/realms", "Authorization", "Bearer gha_nonsense");
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(refused.body()).isEqualTo(unknown.body());
    assertThat(admin.audit.events(AuditEvent.MessageRefused.class))
        .extracting(AuditEvent.MessageRefused::partner, AuditEvent.MessageRefused::reason)
        .containsExactly(tuple("late", "ADMINISTRATOR_KEY_EXPIRED"), tuple("-", "ADMINISTRATOR_KEY_UNKNOWN"));
  }

  @Test
  void aMissingRoleIsAuditedOrTheRequestIs503() throws IOException, InterruptedException {
    String viewer = admin.key("viewer", List.of(AdministratorGrant.parse("viewer@demo")), Optional.empty());
    String path = "/admin/v1/realms/demo/sessions/app/s1";
    admin.appSessions.add("s1", "alice");
    HttpResponse<String> refused = admin.send("DELETE", path, "Authorization", "Bearer " + viewer);
    assertThat(refused.statusCode()).isEqualTo(403);
    assertThat(JSON.readTree(refused.body()).get("detail").asString())
        .isEqualTo("This needs the role helpdesk in the realm demo; this key has viewer@demo.");
    AuditEvent.MessageRefused event = admin.audit.events(AuditEvent.MessageRefused.class).getFirst();
    assertThat(event.reason()).isEqualTo("ADMINISTRATOR_ROLE_MISSING");
    assertThat(event.partner()).isEqualTo("viewer");
    assertThat(event.context().realm()).isEqualTo("demo");
    assertThat(event.context().reference()).contains(JSON.readTree(refused.body()).get("reference").asString());
    assertThat(admin.audit.events(AuditEvent.Administered.class)).isEmpty();
    admin.audit.breakDown(true);
    assertThat(admin.send("DELETE", path, "Authorization", "Bearer " + viewer).statusCode()).isEqualTo(503);
    assertThat(admin.appSessions.sessions).hasSize(1);
  }

  @Test
  void problemsOfFilesAreForThoseWhoMayReadThem() throws IOException, InterruptedException {
    String viewer = admin.key("reader", List.of(AdministratorGrant.parse("viewer@demo")), Optional.empty());
    for (String file : List.of("/etc/gatehouse/realms/demo.yaml", "/etc/gatehouse/realms/other.yaml", "/etc/gatehouse/gatehouse.yaml", "/")) {
      admin.problems.add(new Problem(Path.of(file), 7, "key", "is missing", "add it"));
    }
    JsonNode seen = JSON.readTree(admin.send("GET", "/admin/v1/configuration", "Authorization", "Bearer " + viewer).body());
    assertThat(seen.get("problems")).extracting(problem -> problem.get("file").asString()).containsExactly("/etc/gatehouse/realms/demo.yaml");
    assertThat(get("/admin/v1/configuration").get("problems")).hasSize(4);
  }

  @Test
  void aWrongKeyThatCannotBeAuditedIs503() throws IOException, InterruptedException {
    admin.audit.breakDown(true);
    assertThat(admin.send("GET", "/admin/v1/realms", "Authorization", "Bearer wrong").statusCode()).isEqualTo(503);
  }

  @Test
  void whatWasDoneNamesTheCallersAddress() throws IOException, InterruptedException {
    admin.appSessions.add("s1", "alice");
    admin.authorized("DELETE", "/admin/v1/realms/demo/sessions/app/s1");
    AuditEvent.Administered done = admin.audit.events(AuditEvent.Administered.class).getFirst();
    assertThat(done.context().client()).isEqualTo("127.0.0.1");
    assertThat(done.administrator()).isEqualTo("ops");
    assertThat(done.details()).containsEntry("role", "admin");
  }

  @ParameterizedTest
  @ValueSource(strings = {"evil.example", "evil.example:8081", "localhost.evil.example", "xlocalhost", "1.2.3.4.example", "[::1"})
  void anotherHostIsRefusedOnEveryPath(String host) throws IOException {
    for (String path : List.of("/actuator/health", "/admin/v1/openapi.json", "/nothing")) {
      assertThat(raw("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
          .matches("(?s)HTTP/1.1 4(21|00) .*")
          .doesNotContain("\"status\":\"UP\"", "\tat ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LOCALHOST:8081", "127.0.0.1:1", "[::1]:8081", "admin.localhost", "10.1.2.3"})
  void itsOwnNamesAreTaken(String host) throws IOException {
    assertThat(raw("GET /actuator/health/liveness HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 200");
  }

  @Test
  void aCheckWithoutAHostIsAnswered() throws IOException {
    assertThat(raw("GET /actuator/health/liveness HTTP/1.0\r\n\r\n")).contains(" 200 ");
  }

  @Test
  void aBodyThatIsTooLargeIs413() throws IOException, InterruptedException {
    String large = "{\"lines\":[" + " ".repeat((4 << 20) + 1000) + "]}";
    assertThat(admin.post("/admin/v1/decisions", large).statusCode()).isEqualTo(413);
    // Without a length, in chunks.
    String head =
        "POST /admin/v1/realms/demo/federation/links/bulk?partner=x HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + admin.key
            + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    String chunk = Integer.toHexString(large.length()) + "\r\n" + large + "\r\n0\r\n\r\n";
    assertThat(raw(head + chunk)).startsWith("HTTP/1.1 413").contains("The body has more than 4 MB.");
  }

  @Test
  void healthThatFailsShowsNoStackTrace() throws IOException, InterruptedException {
    admin.storageFails.set(true);
    try {
      HttpResponse<String> health = admin.send("GET", "/actuator/health");
      assertThat(health.statusCode()).isIn(500, 503);
      assertThat(health.body()).doesNotContain("\tat ", "OutOfMemory", "Exception", "at dev.gatehouse");
    } finally {
      admin.storageFails.set(false);
    }
  }

  /** Requests of which each goes wrong in another place. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /nothing HTTP/1.1", "GET /actuator/none HTTP/1.1", "BREW /actuator/health HTTP/1.1", "POST /actuator/health HTTP/1.1",
        "GET /%zz HTTP/1.1", "GET /a%00b HTTP/1.1", "GET /actuator/health/none HTTP/1.1", "GET / HTTP/9.9", "nonsense",
        "POST /admin/v1/decisions HTTP/1.1", "GET /actuator/%2e%2e/health HTTP/1.1", "TRACE / HTTP/1.1"
      })
  void noAnswerShowsAStackTrace(String line) throws IOException {
    String body = "{nonsense";
    assertThat(
            raw(line + "\r\nHost: localhost\r\nAuthorization: Bearer " + admin.key
                + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\nConnection: close\r\n\r\n" + body))
        .doesNotContain("\tat ", "Exception", "Caused by", "Jetty", "org.springframework")
        .contains("HTTP/1.1 ");
  }

  /** {@code /health/serving} of the metrics listener is 200 then. */
  @Test
  void aNodeWithoutTheSharedStoreIsNotReady() throws IOException, InterruptedException {
    admin.storage.set(Health.status(ActuatorReport.AWAY).build());
    try {
      HttpResponse<String> readiness = admin.send("GET", "/actuator/health/readiness");
      assertThat(readiness.statusCode()).isEqualTo(503);
      assertThat(readiness.body()).startsWith("{\"").contains("\"status\":\"AWAY\"");
    } finally {
      admin.storage.set(Health.up().build());
    }
  }

  @Test
  void readinessKnowsStoresAndAuditLog() throws IOException, InterruptedException {
    assertThat(admin.send("GET", "/actuator/health/readiness").body())
        .contains("\"stores\":{\"status\":\"UP\"}", "\"database\":{", "\"auditLog\":{", "\"listeners\":{");
    admin.storage.set(Health.down().withDetail("problem", "No space left on device").build());
    try {
      HttpResponse<String> readiness = admin.send("GET", "/actuator/health/readiness");
      assertThat(readiness.statusCode()).isEqualTo(503);
      assertThat(readiness.body()).contains("\"stores\":{\"status\":\"DOWN\"}").doesNotContain("No space");
    } finally {
      admin.storage.set(Health.up().build());
    }
  }

  private String raw(String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", admin.port())) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void rightKeysAreNot() throws IOException, InterruptedException {
    for (int i = 0; i < 10; i++) {
      assertThat(admin.authorized("GET", "/admin/v1/realms").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void realmsShowTheirRevision() throws IOException, InterruptedException {
    JsonNode realm = get("/admin/v1/realms").get("realms").get(0);
    assertThat(realm.get("name").asString()).isEqualTo("demo");
    assertThat(realm.get("revision").asString()).isEqualTo("000000000000");
    assertThat(realm.get("identityProvider").asString()).isEqualTo("http://idp.localhost:8080/realms/demo");
    assertThat(get("/admin/v1/realms/demo")).isEqualTo(realm);
  }

  @Test
  void partnersShowTheirMetadataAndWhenCertificatesExpire() throws IOException, InterruptedException {
    JsonNode partners = get("/admin/v1/realms/demo/partners").get("partners");
    JsonNode usable = partners.get(0);
    assertThat(usable.get("metadata").asString()).isEqualTo("usable");
    assertThat(usable.get("certificates").get(0).get("expiresAt").asString()).endsWith("Z");
    JsonNode unusable = partners.get(1);
    assertThat(unusable.get("metadata").asString()).isEqualTo("unusable");
    assertThat(unusable.get("problem").asString()).isEqualTo("not fetched yet");
    assertThat(unusable.has("fetchedAt")).isFalse();
  }

  @Test
  void routesShowWhoMayCome() throws IOException, InterruptedException {
    JsonNode routes = get("/admin/v1/realms/demo/routes").get("routes");
    assertThat(routes).extracting(route -> route.get("access").asString()).containsExactly("public", "role", "protected");
    assertThat(routes.get(1).get("roles").get(0).asString()).isEqualTo("manager");
  }

  @Test
  void partnersAndRoutesComeInPages() throws IOException, InterruptedException {
    for (String list : List.of("partners", "routes")) {
      String path = "/admin/v1/realms/demo/" + list;
      JsonNode all = get(path).get(list);
      List<JsonNode> paged = new ArrayList<>();
      String after = "";
      for (int pages = 0; pages < 20; pages++) {
        JsonNode page = get(path + "?limit=1&after=" + URLEncoder.encode(after, StandardCharsets.UTF_8));
        assertThat(page.get(list)).hasSize(1);
        page.get(list).forEach(paged::add);
        if (!page.has("next")) {
          break;
        }
        after = page.get("next").asString();
      }
      assertThat(paged).as(list).containsExactlyElementsOf(all);
      assertThat(admin.authorized("GET", path + "?limit=501").statusCode()).isEqualTo(400);
    }
    assertThat(admin.authorized("GET", "/admin/v1/realms/demo/routes?after=x").statusCode()).isEqualTo(400);
    assertThat(get("/admin/v1/realms/demo/routes?after=999999999").get("routes")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '#', value = {
    "/decisions | {\"realm\":\"demo\",\"url\":\"x\",\"colour\":1} | `colour` is not known. Known here: authnContext, client, ",
    "/decisions | {\"realm\":7,\"url\":\"x\"} | `realm` does not have the type",
    "/decisions | {\"realm\":\"demo\",\"url\":\"x\",\"person\":{\"user\":\"a\",\"roles\":[\"b\",true]}} | `person.roles[1]` does not have the type",
    "/decisions | {\"realm\": | The body is not JSON: line 1, column ",
    "/decisions | [] | The body does not have the type"
  })
  void aBodyThatCannotBeReadSaysWhere(String path, String body, String detail) throws IOException, InterruptedException {
    HttpResponse<String> refused = admin.post("/admin/v1" + path, body);
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(JSON.readTree(refused.body()).get("detail").asString()).startsWith(detail);
  }

  @Test
  void traceDoesNotEchoTheKey() throws IOException {
    String answer = raw("TRACE /admin/v1/realms HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + admin.key + "\r\nConnection: close\r\n\r\n");
    assertThat(answer).startsWith("HTTP/1.1 405").doesNotContain(admin.key).containsPattern("(?i)allow: GET");
  }

  @Test
  void sessionsComeInPages() throws IOException, InterruptedException {
    for (int i = 0; i < 5; i++) {
      admin.idpSessions.add("s" + i, "alice");
    }
    JsonNode first = get("/admin/v1/realms/demo/sessions/idp?limit=3");
    assertThat(first.get("sessions").size()).isEqualTo(3);
    JsonNode second = get("/admin/v1/realms/demo/sessions/idp?limit=3&after=" + first.get("next").asString());
    assertThat(second.get("sessions")).extracting(s -> s.get("id").asString()).containsExactly("s3", "s4");
    assertThat(second.has("next")).isFalse();
  }

  @Test
  void logoutsThatPartnersHaveYetToHearOfAreCountedAndListed() throws IOException, InterruptedException {
    assertThat(get("/admin/v1/realms/demo/logouts").get("waiting").get("idp").asInt()).isEqualTo(5);
    JsonNode first = get("/admin/v1/realms/demo/logouts/idp?limit=3");
    assertThat(first.get("logouts").get(0).get("problem").asString()).isEqualTo("no route");
    assertThat(first.get("logouts").get(0).get("tries").asInt()).isEqualTo(2);
    JsonNode second = get("/admin/v1/realms/demo/logouts/idp?limit=3&after=" + first.get("next").asString());
    assertThat(second.get("logouts")).extracting(l -> l.get("id").asString()).containsExactly("l3", "l4");
    assertThat(second.has("next")).isFalse();
    for (String path : new String[] {"/admin/v1/realms/none/logouts", "/admin/v1/realms/demo/logouts/x"}) {
      assertThat(admin.authorized("GET", path).statusCode()).as(path).isEqualTo(404);
    }
    assertThat(admin.authorized("GET", "/admin/v1/realms/demo/logouts/idp?limit=0").statusCode()).isEqualTo(400);
  }

  @Test
  void aSessionEndsAndItIsAudited() throws IOException, InterruptedException {
    admin.appSessions.add("s1", "alice");
    assertThat(admin.authorized("DELETE", "/admin/v1/realms/demo/sessions/app/s1").statusCode()).isEqualTo(204);
    assertThat(admin.appSessions.sessions).isEmpty();
    AuditEvent.Administered event = admin.audit.events(AuditEvent.Administered.class).getFirst();
    assertThat(event.administrator()).isEqualTo("ops");
    assertThat(event.action()).isEqualTo("session.end");
    assertThat(event.details()).containsEntry("session", "s1");
    assertThat(admin.authorized("DELETE", "/admin/v1/realms/demo/sessions/app/s1").statusCode()).isEqualTo(404);
  }

  @Test
  void allSessionsOfAPersonEndWhateverTheirKind() throws IOException, InterruptedException {
    admin.idpSessions.add("s1", "alice");
    admin.appSessions.add("s2", "alice");
    admin.appSessions.add("s3", "bob");
    HttpResponse<String> ended = admin.authorized("DELETE", "/admin/v1/realms/demo/sessions?person=alice");
    assertThat(ended.body()).isEqualTo("{\"ended\":2}");
    assertThat(admin.appSessions.sessions).extracting(s -> s.id()).containsExactly("s3");
  }

  @Test
  void aLostSecondFactorIsResetAndItIsAudited() throws IOException, InterruptedException {
    String address = "/admin/v1/realms/demo/second-factors?person=";
    JsonNode alice = get(address + "alice");
    assertThat(alice.get("person").asString()).isEqualTo("a11ce");
    assertThat(alice.get("recoveryCodes").asInt()).isEqualTo(7);
    assertThat(alice.get("apps").get(0).get("label").asString()).isEqualTo("Phone");
    assertThat(alice.get("apps").get(0).has("usedAt")).isFalse();
    assertThat(admin.authorized("DELETE", address + "alice").statusCode()).isEqualTo(204);
    assertThat(get(address + "alice").get("apps").size()).isZero();
    AuditEvent.Administered event = admin.audit.events(AuditEvent.Administered.class).getFirst();
    assertThat(event.administrator()).isEqualTo("ops");
    assertThat(event.action()).isEqualTo("second-factor.reset");
    assertThat(event.details()).containsEntry("person", "alice");
    assertThat(admin.authorized("DELETE", address + "alice").statusCode()).as("nothing left").isEqualTo(404);
    assertThat(admin.authorized("GET", address + "nobody").statusCode()).isEqualTo(404);
    assertThat(admin.authorized("GET", "/admin/v1/realms/none/second-factors?person=alice").statusCode()).isEqualTo(404);
    String confirmation = "/admin/v1/realms/demo/second-factors/confirmation";
    assertThat(admin.authorized("POST", confirmation + "?person=alice").statusCode()).isEqualTo(204);
    assertThat(admin.authorized("POST", confirmation).statusCode()).isEqualTo(204);
    assertThat(admin.authorized("POST", confirmation + "?person=nobody").statusCode()).isEqualTo(404);
    assertThat(admin.send("POST", confirmation).statusCode()).isEqualTo(401);
    assertThat(admin.send("DELETE", address + "alice").statusCode()).as("no key").isEqualTo(401);
  }

  @Test
  void passkeysOfAPersonAreListedAndRemovedAndItIsAudited() throws IOException, InterruptedException {
    String address = "/admin/v1/realms/demo/passkeys?person=alice";
    admin.passkeys.add("alice", "k2", "Old phone");
    assertThat(get(address)).extracting(passkey -> passkey.get("label").asString()).containsExactly("Laptop", "Old phone");
    assertThat(admin.send("GET", address).statusCode()).as("no key").isEqualTo(401);
    assertThat(admin.send("DELETE", address).statusCode()).as("no key").isEqualTo(401);
    assertThat(admin.authorized("DELETE", address + "&id=k2").statusCode()).isEqualTo(204);
    assertThat(admin.authorized("DELETE", address + "&id=k2").statusCode()).isEqualTo(404);
    assertThat(get(address)).extracting(passkey -> passkey.get("id").asString()).containsExactly("k1");
    assertThat(admin.authorized("DELETE", address).statusCode()).isEqualTo(204);
    assertThat(admin.audit.events(AuditEvent.Administered.class).getFirst().action()).isEqualTo("passkeys.remove");
    assertThat(admin.authorized("DELETE", address).statusCode()).as("nothing left").isEqualTo(404);
    assertThat(admin.authorized("DELETE", "/admin/v1/realms/none/passkeys?person=alice").statusCode()).isEqualTo(404);
  }

  @Test
  void clientsThatRegisteredAreListedAndRemoved() throws IOException, InterruptedException {
    String address = "/admin/v1/realms/demo/registered-clients";
    JsonNode first = get(address + "?limit=1");
    assertThat(first.get("clients").get(0).get("clientId").asString()).isEqualTo("c1");
    assertThat(first.get("clients").get(0).get("registeredBy").asString()).isEqualTo("loopback");
    assertThat(get(address + "?after=" + first.get("next").asString()).get("clients").get(0).get("clientId").asString())
        .isEqualTo("c2");
    assertThat(admin.authorized("DELETE", address + "/c1").statusCode()).isEqualTo(204);
    assertThat(admin.audit.events(AuditEvent.Administered.class).getFirst().action())
        .isEqualTo("registered-client.remove");
    assertThat(get(address).get("clients").size()).isEqualTo(1);
    assertThat(admin.authorized("DELETE", address + "/c1").statusCode()).isEqualTo(404);
    assertThat(admin.authorized("GET", "/admin/v1/realms/none/registered-clients").statusCode()).isEqualTo(404);
    assertThat(admin.send("DELETE", address + "/c2").statusCode()).as("no key").isEqualTo(401);
  }

  @Test
  void whatCannotBeAuditedDoesNotHappen() throws IOException, InterruptedException {
    admin.appSessions.add("s1", "alice");
    admin.audit.breakDown(true);
    HttpResponse<String> refused = admin.authorized("DELETE", "/admin/v1/realms/demo/sessions/app/s1");
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(JSON.readTree(refused.body()).get("reference").asString())
        .hasSize(12)
        .isEqualTo(refused.headers().firstValue("X-Request-Id").orElseThrow());
    assertThat(admin.appSessions.sessions).hasSize(1);
  }

  @Test
  void reloadTellsEveryProblem() throws IOException, InterruptedException {
    assertThat(admin.authorized("POST", "/admin/v1/configuration/reload").statusCode()).isEqualTo(200);
    admin.problems.add(new Problem(Path.of("realms/demo.yaml"), 7, "idp.publicUrl", "is missing", "add it"));
    HttpResponse<String> rejected = admin.authorized("POST", "/admin/v1/configuration/reload");
    assertThat(rejected.statusCode()).isEqualTo(422);
    JsonNode problem = JSON.readTree(rejected.body()).get("problems").get(0);
    assertThat(problem.get("line").asInt()).isEqualTo(7);
    assertThat(problem.get("key").asString()).isEqualTo("idp.publicUrl");
    assertThat(get("/admin/v1/configuration").get("revisions").get("demo").asString()).isEqualTo("000000000000");
  }

  @Test
  void mistakesAreProblemDetails() throws IOException, InterruptedException {
    for (String path : new String[] {"/admin/v1/nothing", "/admin/v1/realms/none", "/admin/v1/realms/demo/sessions/x"}) {
      HttpResponse<String> missing = admin.authorized("GET", path);
      assertThat(missing.statusCode()).as(path).isEqualTo(404);
      assertThat(missing.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
    }
    assertThat(admin.authorized("GET", "/admin/v1/realms/demo/sessions/idp?limit=no").statusCode()).isEqualTo(400);
    assertThat(admin.authorized("GET", "/admin/v1/realms/demo/sessions/idp?limit=501").statusCode()).isEqualTo(400);
    assertThat(admin.authorized("PATCH", "/admin/v1/realms").statusCode()).isEqualTo(405);
  }

  @Test
  void theActuatorAnswersHealthAndMetricsAndNothingElse() throws IOException, InterruptedException {
    assertThat(admin.send("GET", "/actuator/health/liveness").body()).contains("\"status\":\"UP\"");
    assertThat(admin.send("GET", "/actuator/health").statusCode()).isIn(200, 503);
    assertThat(admin.send("GET", "/actuator/prometheus").statusCode()).isEqualTo(200);
    for (String path : new String[] {"/actuator", "/actuator/env", "/actuator/beans", "/actuator/heapdump", "/"}) {
      assertThat(admin.send("GET", path).statusCode()).as(path).isEqualTo(404);
    }
  }

  @Test
  void serversOfAppsAreListedDrainedAndLetBackIn() throws IOException, InterruptedException {
    JsonNode server = get("/admin/v1/upstreams").get("upstreams").get(0);
    assertThat(server.get("server").asString()).isEqualTo("10.0.0.1:8080");
    assertThat(server.get("state").asString()).isEqualTo("up");
    assertThat(server.get("outstanding").asInt()).isEqualTo(3);
    assertThat(admin.authorized("POST", "/admin/v1/upstreams/10.0.0.1:8080/drain").statusCode()).isEqualTo(204);
    assertThat(get("/admin/v1/upstreams").get("upstreams").get(0).get("state").asString()).isEqualTo("draining");
    assertThat(admin.authorized("POST", "/admin/v1/upstreams/10.0.0.1:8080/undrain").statusCode()).isEqualTo(204);
    assertThat(admin.authorized("POST", "/admin/v1/upstreams/10.0.0.9:1/drain").statusCode()).isEqualTo(404);
    assertThat(admin.audit.events(AuditEvent.Administered.class))
        .extracting(AuditEvent.Administered::action)
        .containsExactly("upstream.drain", "upstream.undrain", "upstream.drain");
  }

  @Test
  void whatIsKeptIsCountedAndDropped() throws IOException, InterruptedException {
    assertThat(get("/admin/v1/realms/demo/cache").get("bytes").asInt()).isEqualTo(3000);
    String path = "/admin/v1/realms/demo/cache";
    assertThat(admin.authorized("DELETE", path + "?url=http://app.localhost/a%3Fb=c").body()).contains("1");
    assertThat(admin.authorized("DELETE", path + "?tag=news").body()).contains("2");
    assertThat(admin.authorized("DELETE", path + "?route=public").body()).contains("3");
    assertThat(admin.authorized("DELETE", path + "?all=true").body()).contains("4");
    for (String wrong : List.of("", "?tag=a&route=b", "?url=ftp", "?all=false")) {
      assertThat(admin.authorized("DELETE", path + wrong).statusCode()).as(wrong).isEqualTo(400);
    }
    assertThat(admin.authorized("DELETE", "/admin/v1/realms/nobody/cache?all=true").statusCode()).isEqualTo(404);
    assertThat(admin.responses.dropped).contains("http://app.localhost/a?b=c", "news", "public", "all");
    assertThat(admin.audit.events(AuditEvent.Administered.class))
        .extracting(AuditEvent.Administered::action)
        .containsOnly("cache.purge");
  }

  @Test
  void aServerIsNotDrainedWhereThatCannotBeAudited() throws IOException, InterruptedException {
    admin.upstreams.draining = false;
    admin.audit.breakDown(true);
    assertThat(admin.authorized("POST", "/admin/v1/upstreams/10.0.0.1:8080/drain").statusCode()).isEqualTo(503);
    assertThat(admin.upstreams.draining).isFalse();
  }

  private JsonNode get(String path) throws IOException, InterruptedException {
    HttpResponse<String> response = admin.authorized("GET", path);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }
}
