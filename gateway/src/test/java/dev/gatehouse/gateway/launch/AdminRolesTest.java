package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.directory.Slapd;
import dev.gatehouse.common.directory.TestPeople;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.AdministratorRole;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.gateway.demo.DemoConfiguration;
import dev.gatehouse.gateway.demo.DemoPorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every operation of the OpenAPI document × every role × own and other realm, over a running node with two realms. */
@Timeout(300)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AdminRolesTest {

  private static final String OWN = "demo";
  private static final String OTHER = "second";

  /**
   * Each operation with its least role, and where that is needed: {@code named} in the realm that the request names, {@code all} in all
   * realms, {@code any} in one, whereupon the operation itself leaves out what concerns others.
   */
  private static final Map<String, String> LEAST =
      Arrays.stream(
              """
              searchAudit helpdesk named
              getRequest helpdesk any
              listLogLevels operator all
              getLogLevel operator all
              setLogLevel operator all
              resetLogLevel operator all
              getConfiguration viewer any
              reloadConfiguration operator all
              decide viewer any
              listRealms viewer any
              getRealm viewer named
              listPartners viewer named
              listRoutes viewer named
              beginTestLogin operator named
              getTestLogin operator named
              saveTestLogin operator named
              replayTestLogin operator named
              listAppSecrets helpdesk named
              deleteAppSecrets helpdesk named
              exportPersonData admin named
              erasePersonData admin named
              cacheStatistics viewer named
              purgeCache operator named
              findFederations helpdesk named
              listFederations helpdesk named
              endFederation admin named
              renewFederation admin named
              federateMany admin named
              countLogouts operator named
              listLogouts operator named
              listRegisteredClients viewer named
              removeRegisteredClient admin named
              findSecondFactor helpdesk named
              resetSecondFactor helpdesk named
              confirmSecondFactor helpdesk named
              listPasskeys helpdesk named
              removePasskeys helpdesk named
              findSessions helpdesk named
              listSessions helpdesk named
              endSession helpdesk named
              endSessionsOfPerson helpdesk named
              listRevisions viewer all
              getRevision viewer all
              exportRevision viewer named
              diffRevision viewer named
              proposeRevision admin any
              rollBack admin named
              listEntries viewer named
              getEntry viewer named
              putEntry admin named
              patchEntry admin named
              deleteEntry admin named
              listRealmSecrets viewer named
              putRealmSecret admin named
              deleteRealmSecret admin named
              listKeys viewer named
              prepareKey admin named
              promoteKey admin named
              retireKey admin named
              recordKeyChange admin all
              listSecrets viewer all
              putSecret admin all
              deleteSecret admin all
              getMaintenance viewer named
              setMaintenance operator named
              clearMaintenance operator named
              listAdministrators admin any
              grantAdministrator admin named
              revokeAdministrator admin named
              listUpstreams viewer any
              drainUpstream operator all
              undrainUpstream operator all
              getNode operator all
              listNodes viewer all
              listOtpServers viewer all
              drainNode operator all
              undrainNode operator all
              drainNodeOfAll operator all
              undrainNodeOfAll operator all
              importPartner admin named
              importProvider admin named
              importAggregate admin named
              listPartnerCertificates viewer named
              testPartner operator named
              testPartners operator named
              listJobs viewer any
              getJob viewer any
              cancelJob viewer any
              archiveAudit admin all
              verifyAudit operator all
              getRegisteredClient viewer named
              listAuthorizations helpdesk named
              endAuthorization helpdesk named
              readAnalytics viewer named
              listUnusualPatterns helpdesk named
              getTheme viewer named
              putTheme admin named
              previewTheme admin named
              listThemePages viewer named
              listThemeTexts viewer named
              showReleaseToServiceProvider helpdesk named
              showReleaseToClient helpdesk named
              getPerson helpdesk named
              getRouteMaintenance viewer named
              setRouteMaintenance operator named
              clearRouteMaintenance operator named
              unlockPerson helpdesk named
              rereadPerson helpdesk named
              listTrusts viewer named
              testTrust operator named
              listTokens helpdesk named
              getToken helpdesk named
              reportTokens helpdesk named
              removeToken admin named
              assignToken helpdesk named
              unassignToken helpdesk named
              enableToken helpdesk named
              disableToken helpdesk named
              markTokenLost helpdesk named
              markTokenFound helpdesk named
              replaceToken helpdesk named
              resynchroniseToken helpdesk named
              tokenChallenges helpdesk named
              expireToken operator named
              getTokenHolder helpdesk named
              clearPin helpdesk named
              unlockTokenHolder helpdesk named
              createStandIn helpdesk named
              endStandIn helpdesk named
              changeTokens operator named
              importTokens admin named
              getTokenFields helpdesk named
              putTokenFields helpdesk named
              listKnownPeople helpdesk named
              listPeopleRuns helpdesk named
              previewPeople operator named
              synchronisePeople admin named
              reportTokenList helpdesk named
              reportFailedPasscodes helpdesk named
              endConsent helpdesk named
              getHealth viewer any
              getSettings viewer named
              putSettings admin named
              patchSettings admin named
              deleteSettings admin named
              """
                  .split("\n"))
          .map(line -> line.split(" ", 2))
          .collect(Collectors.toMap(line -> line[0], line -> line[1], (one, other) -> one, TreeMap::new));

  /** Of operations with a body. */
  private static final Map<String, String> BODIES =
      Map.ofEntries(
          Map.entry("beginTestLogin", "{\"identityProvider\":\"https://nobody.example\"}"),
          Map.entry("saveTestLogin", "{\"passphrase\":\"correct horse battery\"}"),
          Map.entry("replayTestLogin", "{\"file\":\"x\",\"passphrase\":\"x\"}"),
          Map.entry("decide", "{\"realm\":\"{realm}\",\"url\":\"http://app.localhost/public/\"}"),
          Map.entry("grantAdministrator", "{\"role\":\"viewer\"}"),
          Map.entry("setMaintenance", "{\"on\":false}"),
          Map.entry("setRouteMaintenance", "{\"on\":false}"),
          Map.entry("resynchroniseToken", "{\"code\":\"123456\",\"next\":\"123457\"}"),
          Map.entry("changeTokens", "{\"content\":\"action,serial\\ndisable,x\"}"),
          Map.entry("importTokens", "{\"format\":\"csv\",\"content\":\"x\"}"),
          Map.entry("expireToken", "{}"),
          Map.entry("putTokenFields", "{}"),
          Map.entry("createStandIn", "{\"kind\":\"password\"}"),
          Map.entry("federateMany", "{\"lines\":[]}"),
          Map.entry("proposeRevision", "{\"files\":[]}"),
          Map.entry("putTheme", "{}"),
          Map.entry("previewTheme", "{}"),
          Map.entry("putEntry", "{}"),
          Map.entry("patchEntry", "{}"),
          Map.entry("importPartner", "{}"),
          Map.entry("importProvider", "{\"issuer\":\"https://nobody.example\"}"),
          Map.entry("importAggregate", "{\"url\":\"https://nobody.example\"}"),
          Map.entry("putSettings", "{}"),
          Map.entry("patchSettings", "{}"),
          Map.entry("recordKeyChange", "{\"kind\":\"registration\",\"change\":\"revoke\",\"name\":\"x\"}"),
          Map.entry("putSecret", "{\"text\":\"x\"}"),
          Map.entry("putRealmSecret", "{\"text\":\"x\"}"));

  private static final JsonMapper JSON = new JsonMapper();

  private final HttpClient http = HttpClient.newHttpClient();
  private final Map<String, String> keys = new HashMap<>();
  private Slapd slapd;
  private RunningNode node;
  private DemoPorts ports;
  private Path data;
  private JsonNode document;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException, InterruptedException {
    slapd = Slapd.start(Slapd.FEDERATION, TestPeople.LDIF);
    List<Integer> free = FreePorts.take(7);
    ports = new DemoPorts(free.get(0), free.get(1), free.get(2), free.get(3), free.get(4), free.get(5), slapd.port(), free.get(6));
    Path config = folder.resolve("config");
    data = folder.resolve("data");
    new DemoConfiguration(config).write(ports);
    Path file = config.resolve("gatehouse.yaml");
    Files.writeString(file, Files.readString(file).replaceAll("(?m)^    - .*certificate: .*\n", ""));
    Path own = config.resolve("realms/demo.yaml");
    String bind = "  bindDn: " + TestPeople.SERVICE + "\n  bindPassword: " + TestPeople.SERVICE_PASSWORD + "\n";
    String realm =
        Files.readString(own)
            .replace("  base: dc=example,dc=org\n", "  base: dc=example,dc=org\n" + bind)
            .replaceAll("(?m)^  otherOrigins: .*\n", "");
    Files.writeString(own, realm);
    Files.writeString(
        config.resolve("realms/" + OTHER + ".yaml"),
        realm
            .replace("/realms/demo", "/realms/" + OTHER)
            .replace("idp.localhost", "idp.second.localhost")
            .replace("app.localhost", "app.second.localhost")
            .replace("127.0.0.1:" + ports.app(), "127.0.0.2:" + ports.app()));
    node = RunningNode.start(config, Map.of());
    document = JSON.readTree(send("GET", "/admin/v1/openapi.json", "", "").body());
  }

  @AfterAll
  void stop() {
    http.close();
    node.close();
    slapd.close();
  }

  @Test
  void everyOperationIsInTheListOfThisTestAndTheDocumentSaysItsRole() {
    Map<String, String> described = new TreeMap<>();
    operations()
        .forEach(
            operation ->
                described.put(
                    operation.id(),
                    operation.description().path("x-required-role").asString("none")
                        + " " + operation.description().path("x-required-realm").asString("none")));
    assertThat(described).isEqualTo(LEAST);
  }

  @ParameterizedTest
  @EnumSource(AdministratorRole.class)
  void aRoleInAllRealmsPermitsWhatItIncludes(AdministratorRole role) throws IOException, InterruptedException {
    String grant = role.word();
    for (Operation operation : operations()) {
      for (String realm : List.of(OWN, OTHER)) {
        HttpResponse<String> response = call(operation, realm, grant);
        if (role.includes(operation.least())) {
          permitted(operation, grant, response);
        } else {
          refused(operation, grant, response, operation.in().equals("named") ? Optional.of(realm) : Optional.empty());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(AdministratorRole.class)
  void aRoleInOneRealmPermitsNothingInAnother(AdministratorRole role) throws IOException, InterruptedException {
    String grant = role.word() + "@" + OWN;
    for (Operation operation : operations()) {
      HttpResponse<String> own = call(operation, OWN, grant);
      HttpResponse<String> other = call(operation, OTHER, grant);
      boolean includes = role.includes(operation.least());
      switch (operation.in()) {
        case "all" -> {
          refused(operation, grant, own, Optional.empty());
          refused(operation, grant, other, Optional.empty());
        }
        case "named" -> {
          if (includes) {
            permitted(operation, grant, own);
          } else {
            refused(operation, grant, own, Optional.of(OWN));
          }
          refused(operation, grant, other, Optional.of(OTHER));
        }
        default -> {
          if (!includes) {
            refused(operation, grant, own, Optional.empty());
            refused(operation, grant, other, Optional.empty());
            continue;
          }
          permitted(operation, grant, own);
          assertThat(own.body()).as(operation.id()).doesNotContain(OTHER, "127.0.0.2");
          if (operation.id().equals("decide")) {
            refused(operation, grant, other, Optional.of(OTHER));
          }
        }
      }
    }
  }

  /** Otherwise the test of lists could not fail. */
  @Test
  void aRoleInAllRealmsSeesBothRealmsInLists() throws IOException, InterruptedException {
    assertThat(send("GET", "/admin/v1/realms", "viewer", "").body()).contains("\"" + OWN + "\"", "\"" + OTHER + "\"");
    assertThat(send("GET", "/admin/v1/configuration", "viewer", "").body()).contains("\"" + OWN + "\"", "\"" + OTHER + "\"");
    assertThat(send("GET", "/admin/v1/upstreams", "viewer", "").body()).contains("127.0.0.1", "127.0.0.2");
    assertThat(send("GET", "/admin/v1/upstreams", "viewer@" + OWN, "").body()).contains("127.0.0.1");
    assertThat(send("GET", "/admin/v1/realms", "viewer@" + OWN, "").body()).contains("\"" + OWN + "\"");
  }

  @Test
  void rolesOfSeveralRealmsDoNotMix() throws IOException, InterruptedException {
    String mixed = "viewer@" + OWN + ",operator@" + OTHER;
    assertThat(send("DELETE", "/admin/v1/realms/" + OTHER + "/cache?all=true", mixed, "").statusCode()).isEqualTo(200);
    assertThat(send("DELETE", "/admin/v1/realms/" + OWN + "/cache?all=true", mixed, "").statusCode()).isEqualTo(403);
    assertThat(send("GET", "/admin/v1/realms/" + OWN, mixed, "").statusCode()).isEqualTo(200);
    assertThat(send("POST", "/admin/v1/configuration/reload", mixed, "").statusCode()).as("one realm of two").isEqualTo(403);
  }

  @Test
  void noSpellingOfTheRealmWidensARole() throws IOException, InterruptedException {
    String admin = "admin@" + OWN;
    for (String path :
        List.of(
            "/admin/v1/revisions?realm=" + OWN,
            "/admin/v1/revisions/1/files",
            "/admin/v1/revisions/1/files?realm=" + OTHER,
            "/admin/v1/revisions/1/files?realm=" + OWN + "&realm=" + OTHER,
            "/admin/v1/revisions/1/diff?realm=",
            "/admin/v1/realms/" + OTHER + "?realm=" + OWN,
            "/admin/v1/realms/" + OTHER + ";realm=" + OWN,
            "/admin/v1/realms/" + OTHER + "/routes?realm=" + OWN,
            "/admin/v1/realms/" + OWN.toUpperCase(Locale.ROOT),
            "/admin/v1/realms/nowhere")) {
      HttpResponse<String> response = send("GET", path, admin, "");
      assertThat(response.statusCode()).as(path + " " + response.body()).isEqualTo(403);
    }
    String both = "{\"realm\":\"" + OWN + "\",\"realm\":\"" + OTHER + "\",\"url\":\"http://app.second.localhost/public/\"}";
    assertThat(send("POST", "/admin/v1/decisions", admin, both).statusCode()).isIn(400, 403);
  }

  @Test
  void whatConcernsEverybodyOrProposedTextsNeedsAHigherRole() throws IOException, InterruptedException {
    String confirmation = "/admin/v1/realms/" + OWN + "/second-factors/confirmation";
    assertThat(send("POST", confirmation, "operator", "").statusCode()).isEqualTo(403);
    assertThat(send("POST", confirmation, "admin@" + OWN, "").statusCode()).isEqualTo(204);
    String proposed = "{\"realm\":\"demo\",\"url\":\"http://app.localhost/\",\"configuration\":\"routes: []\"}";
    assertThat(send("POST", "/admin/v1/decisions", "operator", proposed).statusCode()).isEqualTo(403);
    assertThat(send("POST", "/admin/v1/decisions", "admin@" + OTHER, proposed).statusCode()).isEqualTo(403);
    assertThat(send("POST", "/admin/v1/decisions", "admin@" + OWN, proposed).statusCode()).as("a text in place of a file").isEqualTo(403);
    assertThat(send("POST", "/admin/v1/decisions", "admin", proposed).statusCode()).isEqualTo(422);
  }

  /** The configuration is in files here: an administrator of one realm sees that realm's, and changes nothing. */
  @Test
  void anAdministratorOfOneRealmReachesNothingOfAnother() throws IOException, InterruptedException {
    String admin = "admin@" + OWN;
    HttpResponse<String> files = send("GET", "/admin/v1/revisions/1/files?realm=" + OWN, admin, "");
    assertThat(files.statusCode()).as(files.body()).isEqualTo(200);
    assertThat(files.body()).contains("realms/" + OWN + ".yaml").doesNotContain("realms/" + OTHER, "app." + OTHER);
    String other = "{\"files\":[{\"path\":\"realms/" + OTHER + ".yaml\",\"text\":\"sp: {}\"}]}";
    assertThat(send("POST", "/admin/v1/revisions?dryRun=true", admin, other).statusCode()).isEqualTo(403);
    String both = "{\"files\":[{\"path\":\"realms/a.yaml\",\"text\":\"\"},{\"path\":\"realms/" + OWN + ".yaml\",\"text\":\"sp: {}\"}]}";
    assertThat(send("POST", "/admin/v1/revisions?dryRun=true", admin, both).statusCode()).isEqualTo(403);
    String own = "{\"files\":[{\"path\":\"realms/" + OWN + ".yaml\",\"text\":\"sp: {publicUrl: 'http://app.localhost:8000'}\"}]}";
    assertThat(send("POST", "/admin/v1/revisions?dryRun=true", admin, own).statusCode()).isEqualTo(403);
    HttpResponse<String> secret = send("PUT", "/admin/v1/realms/" + OWN + "/secrets/" + OTHER + ".x", admin, "{\"text\":\"x\"}");
    assertThat(secret.statusCode()).as(secret.body()).isIn(400, 409);
  }

  /** Before the others, whose refusals use up what one address may write into the audit log. */
  @Test
  @Order(1)
  void refusalsAndChangesAreInTheAuditLogWithNameAndRole() throws IOException, InterruptedException {
    assertThat(send("DELETE", "/admin/v1/realms/" + OWN + "/cache?all=true", "viewer@" + OWN, "").statusCode()).isEqualTo(403);
    assertThat(send("DELETE", "/admin/v1/realms/" + OWN + "/cache?all=true", "operator@" + OWN, "").statusCode()).isEqualTo(200);
    List<String> lines;
    try (var files = Files.walk(data.resolve("audit"))) {
      lines = files.filter(Files::isRegularFile).flatMap(AdminRolesTest::lines).toList();
    }
    assertThat(lines).anyMatch(line -> line.contains("ADMINISTRATOR_ROLE_MISSING") && line.contains("\"viewer@" + OWN + "\""));
    assertThat(lines).anyMatch(line -> line.contains("cache.purge") && line.contains("\"operator@" + OWN + "\"") && line.contains("\"role\":\"operator\""));
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void permitted(Operation operation, String grant, HttpResponse<String> response) {
    assertThat(response.statusCode())
        .as(operation.id() + " by " + grant + ": " + response.body())
        .isIn(200, 202, 204, 400, 404, 409, 422);
  }

  private static void refused(Operation operation, String grant, HttpResponse<String> response, Optional<String> realm) {
    assertThat(response.statusCode()).as(operation.id() + " by " + grant + ": " + response.body()).isEqualTo(403);
    assertThat(response.headers().firstValue("Content-Type").orElse("")).startsWith("application/problem+json");
    JsonNode problem = JSON.readTree(response.body());
    assertThat(problem.path("requiredRole").asString("")).as(operation.id()).isEqualTo(operation.least().word());
    assertThat(problem.path("requiredRealm").asString("")).as(operation.id()).isEqualTo(realm.orElse(""));
    assertThat(problem.path("roles").path(0).asString("")).isEqualTo(grant);
    assertThat(problem.path("detail").asString("")).contains("needs the role " + operation.least().word(), "this key has " + grant);
  }

  /** An operation of the document. */
  private record Operation(String method, String path, String id, JsonNode description) {
    AdministratorRole least() {
      return AdministratorRole.of(listed()[0]).orElseThrow();
    }

    String in() {
      return listed()[1];
    }

    private String[] listed() {
      return Objects.requireNonNull(LEAST.get(id), () -> "the list misses " + id).split(" ");
    }
  }

  private List<Operation> operations() {
    List<Operation> all =
        document.get("paths").properties().stream()
            .flatMap(
                path ->
                    path.getValue().properties().stream()
                        .map(
                            method ->
                                new Operation(
                                    method.getKey().toUpperCase(Locale.ROOT), path.getKey(),
                                    method.getValue().get("operationId").asString(), method.getValue())))
            .toList();
    assertThat(all).hasSizeGreaterThan(35);
    return all;
  }

  private HttpResponse<String> call(Operation operation, String realm, String grants) throws IOException, InterruptedException {
    String path = operation.path().replace("{realm}", realm).replace("{number}", "1").replace("{route}", "public");
    path = path.replace("{kind}", operation.id().contains("eder") ? "names" : "app").replaceAll("\\{[a-z]+}", "x");
    TreeSet<String> query = new TreeSet<>();
    for (JsonNode parameter : operation.description().path("parameters")) {
      String name = parameter.get("name").asString();
      if (parameter.get("in").asString().equals("query") && (parameter.path("required").asBoolean(false) || name.equals("person"))) {
        query.add(name + "=x");
      }
      if (parameter.get("in").asString().equals("query") && name.equals("realm")) {
        query.add("realm=" + realm);
      }
    }
    return send(
        operation.method(),
        path + (query.isEmpty() ? "" : "?" + String.join("&", query)),
        grants,
        BODIES.getOrDefault(operation.id(), "").replace("{realm}", realm));
  }

  /** Sends a request with the key that has these grants and their text as its name. */
  private HttpResponse<String> send(String method, String path, String grants, String body) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.admin() + path))
            .method(method, body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    if (!grants.isEmpty()) {
      request.header("Authorization", "Bearer " + keys.computeIfAbsent(grants, this::created));
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private String created(String grants) {
    List<AdministratorGrant> parsed = Arrays.stream(grants.split(",")).map(AdministratorGrant::parse).toList();
    String name = grants.replace(',', ' ');
    return ((Creation.Created) node.get(AdministratorKeys.class).create(name, parsed, Optional.empty())).secret();
  }
}
