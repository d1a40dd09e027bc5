package dev.gatehouse.gateway.admin.partner;

import static dev.gatehouse.gateway.admin.partner.PartnerMetadataFixture.ENTITY;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.saml.message.SamlFixtures;
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
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
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

/** Partners are imported by their metadata, over a configuration in a database. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PartnerImportTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String PATH = "/admin/v1/realms/demo/partners/import";

  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicReference<String> document = new AtomicReference<>("");
  private StoredAdmin stored;
  private HttpServer server;
  private String original = "";

  @BeforeAll
  void start(@TempDir Path folder) throws IOException, ConfigurationInvalid {
    stored = new StoredAdmin(folder);
    original = stored.realmFile();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = Objects.requireNonNull(document.get()).getBytes(StandardCharsets.UTF_8);
          boolean redirects = exchange.getRequestURI().getPath().equals("/away");
          if (redirects) {
            exchange.getResponseHeaders().set("Location", "http://127.0.0.1:1/secret");
          }
          exchange.sendResponseHeaders(redirects ? 302 : 200, body.length == 0 ? -1 : body.length);
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
  void clean() {
    stored.admin.audit.clear();
  }

  private HttpResponse<String> send(String query, String ifMatch, Map<String, Object> body) throws IOException, InterruptedException {
    return sendAs("application/json", stored.admin.key, query, ifMatch, JSON.writeValueAsString(body));
  }

  private HttpResponse<String> sendAs(String type, String key, String query, String ifMatch, String body) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + stored.admin.port() + PATH + query))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (!ifMatch.isEmpty()) {
      request.header("If-Match", ifMatch);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private String url(String path) {
    return "http://localhost:" + server.getAddress().getPort() + path;
  }

  private String tag() {
    return "\"" + stored.realms.number() + "\"";
  }

  private void refused(HttpResponse<String> response, String... says) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(422);
    assertThat(response.body()).contains(says);
    assertThat(JSON.readTree(response.body()).get("problems")).isNotEmpty();
  }

  @Test
  void aPreviewSaysWhatWasFoundAndChangesNothing() throws IOException, InterruptedException {
    long before = stored.realms.number();
    HttpResponse<String> preview = send("?dryRun=true", "", Map.of("xml", PartnerMetadataFixture.idp()));
    assertThat(preview.statusCode()).as(preview.body()).isEqualTo(200);
    assertThat(preview.headers().firstValue("ETag")).contains(tag());
    JsonNode found = JSON.readTree(preview.body()).get("found");
    assertThat(found.get("entityId").asString()).isEqualTo(ENTITY);
    assertThat(found.get("displayName").asString()).isEqualTo("Partner <b>&\"'");
    assertThat(found.get("signature").get("verdict").asString()).isEqualTo("intact");
    assertThat(found.get("signature").get("fingerprint").asString())
        .isEqualTo(PartnerCertificateView.fingerprint(SamlFixtures.idpKey().certificate()));
    assertThat(found.get("endpoints").get(0).get("service").asString()).isEqualTo("SingleSignOnService");
    assertThat(found.get("certificates").get(0).get("key").asString()).isEqualTo("RSA of 2048 bits");
    assertThat(found.get("validUntil").asString()).isEqualTo(TestTime.START.plus(Duration.ofDays(7)).toString());
    assertThat(JSON.readTree(preview.body()).get("entry").asString()).contains("entityId: " + ENTITY, "metadata: demo/metadata/");
    assertThat(JSON.readTree(preview.body()).get("plan").get("changes").get(0).get("change").asString()).isEqualTo("added");
    assertThat(stored.realms.number()).isEqualTo(before);
    assertThat(stored.realmFile()).doesNotContain(ENTITY);
  }

  @Test
  void aDocumentBecomesAFileOfTheRevisionAndAUrlAnAddress() throws IOException, InterruptedException, CertificateEncodingException {
    String signer = PartnerMetadataFixture.pem(SamlFixtures.idpKey());
    String files = "realms/demo/metadata/" + Sha256.hex(ENTITY).substring(0, 16);
    Map<String, Object> wanted =
        Map.of("xml", PartnerMetadataFixture.idp(), "verifyWith", signer, "settings", Map.of("displayName", "Partner"), "reason", "a new partner");
    HttpResponse<String> done = send("", tag(), wanted);
    assertThat(done.statusCode()).as(done.body()).isEqualTo(201);
    assertThat(done.headers().firstValue("Location").orElse("")).startsWith("/admin/v1/revisions/");
    assertThat(done.headers().firstValue("ETag")).contains(tag());
    assertThat(JSON.readTree(done.body()).get("found").get("signature").get("verdict").asString()).isEqualTo("verified");
    assertThat(stored.realmFile()).contains("# The first one.", "entityId: " + ENTITY, "verifyWith: demo/metadata/");
    assertThat(stored.paths().stream().filter(path -> path.startsWith(files))).hasSize(2);
    PartnerConfig config = stored.realms.inUse().find("demo").orElseThrow().parties().partners().getLast();
    assertThat(config.metadata()).isInstanceOf(PartnerConfig.MetadataSource.File.class);
    assertThat(config.displayName()).contains("Partner");
    assertThat(stored.admin.audit.events(Administered.class))
        .extracting(Administered::action)
        .containsExactly("partner.import", "configuration.apply");
    assertThat(stored.admin.audit.events(Administered.class).getFirst().details())
        .containsEntry("partner", ENTITY)
        .containsEntry("sha256", Sha256.hex(PartnerMetadataFixture.idp()))
        .containsEntry("signature", "verified");
    assertThat(send("", tag(), wanted).statusCode()).as("again").isEqualTo(200);

    document.set(PartnerMetadataFixture.idp());
    HttpResponse<String> byUrl = send("", tag(), Map.of("url", url("/metadata")));
    assertThat(byUrl.statusCode()).as(byUrl.body()).isEqualTo(201);
    assertThat(stored.realmFile()).contains("metadata: " + url("/metadata"), "displayName: Partner").doesNotContain("verifyWith: demo/metadata");
    assertThat(stored.paths()).noneMatch(path -> path.startsWith(files));
    assertThat(stored.admin.audit.events(Administered.class)).extracting(Administered::action).contains("partner.fetch");
  }

  @Test
  void twoAdministratorsDoNotOverwriteEachOther() throws IOException, InterruptedException {
    String seen = tag();
    Map<String, Object> wanted = Map.of("xml", PartnerMetadataFixture.idp("https://race.example/one", TestTime.START.plusSeconds(60), SamlFixtures.idpKey()));
    assertThat(send("", "", wanted).statusCode()).isEqualTo(428);
    assertThat(send("", seen, wanted).statusCode()).isEqualTo(201);
    Map<String, Object> other = Map.of("xml", PartnerMetadataFixture.idp("https://race.example/two", TestTime.START.plusSeconds(60), SamlFixtures.idpKey()));
    HttpResponse<String> late = send("", seen, other);
    assertThat(late.statusCode()).isEqualTo(412);
    assertThat(late.body()).contains("https://race.example/one");
    assertThat(stored.realmFile()).doesNotContain("https://race.example/two");
  }

  @Test
  void whatIsNoMetadataOrWronglySignedOrExpiredChangesNothing() throws IOException, InterruptedException, CertificateEncodingException {
    String good = PartnerMetadataFixture.idp();
    long before = stored.realms.number();
    refused(send("", tag(), Map.of("xml", "nonsense")), "is no SAML metadata");
    refused(send("", tag(), Map.of("xml", "<a/>")), "a where metadata is expected");
    refused(
        send("", tag(), Map.of("xml", "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><x>&e;</x>")), "a document type declaration");
    String laughs = "<!DOCTYPE l [<!ENTITY a \"ha\">" + IntStream.range(0, 30).mapToObj(i -> "<!ENTITY b" + i + " \"&a;&a;\">").toList() + "]><l>&b1;</l>";
    refused(send("", tag(), Map.of("xml", laughs)), "a document type declaration");
    refused(send("", tag(), Map.of("xml", "<a>".repeat(100_000))), "is no SAML metadata");
    refused(send("", tag(), Map.of("xml", "<!-- " + "x".repeat(1 << 20) + " -->" + good)), "at most 1 MB");
    refused(send("", tag(), Map.of("xml", good.replace("idp.partner.example/sso", "evil.example/sso"))), "\"verdict\":\"invalid\"", "the signature is wrong");
    refused(
        send("", tag(), Map.of("xml", good, "verifyWith", PartnerMetadataFixture.pem(SamlFixtures.strangerKey()))), "\"key\":\"signature\"");
    refused(
        send("", tag(), Map.of("xml", good.replaceFirst("<ds:Signature .*?</ds:Signature>", ""), "verifyWith", PartnerMetadataFixture.pem(SamlFixtures.idpKey()))),
        "the metadata is not signed");
    refused(send("", tag(), Map.of("xml", good, "verifyWith", "nonsense")), "is not a PEM certificate");
    String old = PartnerMetadataFixture.idp(ENTITY, TestTime.START.minusSeconds(1), SamlFixtures.idpKey());
    refused(send("", tag(), Map.of("xml", old)), "was valid until", ENTITY);
    refused(send("", tag(), Map.of("xml", good, "digest", "00")), "are others than those of the preview");
    refused(send("", tag(), Map.of("xml", good, "settings", Map.of("colour", "blue"))), "is not a known key");
    assertThat(stored.realms.number()).isEqualTo(before);
  }

  @Test
  void anAggregateAsksWhichEntityIsMeant() throws IOException, InterruptedException {
    HttpResponse<String> several = send("?dryRun=true", "", Map.of("xml", PartnerMetadataFixture.aggregate()));
    refused(several, "the metadata describe 2 entities", "\"entityCount\":2", "https://other.partner.example/saml");
    refused(send("?dryRun=true", "", Map.of("xml", PartnerMetadataFixture.aggregate(), "entityId", "urn:none")), "do not describe that entity");
    HttpResponse<String> chosen =
        sendAs(
            "application/samlmetadata+xml", stored.admin.key, "?dryRun=true&entityId=https://other.partner.example/saml", "",
            PartnerMetadataFixture.aggregate());
    assertThat(chosen.statusCode()).as(chosen.body()).isEqualTo(200);
    assertThat(JSON.readTree(chosen.body()).get("found").get("entityId").asString()).isEqualTo("https://other.partner.example/saml");
  }

  @Test
  void nobodyElseSaysWhatOurOwnKeysAre() throws IOException, InterruptedException {
    String own = "http://app.localhost:8000/.gatehouse/saml/metadata";
    String forged = PartnerMetadataFixture.idp(own, TestTime.START.plusSeconds(60), SamlFixtures.strangerKey());
    refused(send("", tag(), Map.of("xml", forged)), "is this node's own, of the realm demo");
    document.set(forged);
    refused(send("", tag(), Map.of("url", url("/metadata"))), "is this node's own, of the realm demo");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://10.1.2.3/metadata", "https://169.254.169.254/latest", "https://user:pw@idp.example.org/", "ftp://idp.example.org/", "file:///etc/passwd",
        "nonsense", "http://[::ffff:10.0.0.1]/", "https://0.0.0.0/", "gopher://x", "http://a b/"
      })
  void addressesThatAreNotPublicAreNotFetched(String url) throws IOException, InterruptedException {
    HttpResponse<String> refused = send("?dryRun=true", "", Map.of("url", url));
    refused(refused, "\"key\":\"url\"");
  }

  @Test
  void aRedirectIsNotFollowedAndAFetchedTextNotShown() throws IOException, InterruptedException {
    document.set("");
    refused(send("?dryRun=true", "", Map.of("url", url("/away"))), "answers 302 and redirects to http://127.0.0.1:1/secret");
    document.set("{\"secret\": \"hunter2\"}");
    HttpResponse<String> other = send("?dryRun=true", "", Map.of("url", url("/metadata")));
    refused(other, "is no SAML metadata");
    assertThat(other.body()).doesNotContain("hunter2");
  }

  @Test
  void theRequestIsCheckedFirst() throws IOException, InterruptedException {
    String good = PartnerMetadataFixture.idp();
    assertThat(send("?dryRun=true", "", Map.of()).statusCode()).isEqualTo(400);
    assertThat(send("?dryRun=true", "", Map.of("xml", good, "url", "https://x")).statusCode()).isEqualTo(400);
    assertThat(send("?dryRun=true", "", Map.of("xml", good, "settings", Map.of("metadata", "/etc/passwd"))).statusCode()).isEqualTo(400);
    assertThat(sendAs("application/xml", stored.admin.key, "?dryRun=true", "", "\u00ff").statusCode()).isIn(400, 422);
    String ofRealm = stored.admin.key("of-realm", List.of(AdministratorGrant.parse("admin@other")), Optional.empty());
    assertThat(sendAs("application/json", ofRealm, "?dryRun=true", "", "{}").statusCode()).isEqualTo(403);
    HttpResponse<String> nowhere = stored.admin.post("/admin/v1/realms/none/partners/import?dryRun=true", JSON.writeValueAsString(Map.of("xml", good)));
    assertThat(nowhere.statusCode()).as(nowhere.body()).isEqualTo(404);
  }

  @Test
  void whereTheConfigurationIsInFilesNothingIsWrittenAndNothingFetched(@TempDir Path folder) throws IOException, InterruptedException {
    try (TestAdmin files = new TestAdmin(folder)) {
      HttpResponse<String> refused = files.post(PATH, JSON.writeValueAsString(Map.of("url", url("/metadata"))));
      assertThat(refused.statusCode()).isEqualTo(409);
      assertThat(refused.body()).contains("read from files");
      assertThat(files.audit.events(Administered.class)).isEmpty();
    }
    assertThat(original).contains("# The first one.");
  }
}
