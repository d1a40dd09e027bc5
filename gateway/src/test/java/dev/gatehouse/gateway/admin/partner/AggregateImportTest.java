package dev.gatehouse.gateway.admin.partner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.MetadataSource;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.gateway.admin.StoredAdmin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Partners are imported from a signed aggregate by a job, all or some, in one revision or not at all. */
@Timeout(120)
class AggregateImportTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Instant UNTIL = TestTime.START.plus(Duration.ofDays(7));
  private static final String BILATERAL = "https://idp.example.org";

  private final HttpClient http = HttpClient.newHttpClient();
  private StoredAdmin stored;

  @BeforeEach
  void start(@TempDir Path folder) throws IOException, ConfigurationInvalid {
    stored = new StoredAdmin(folder);
  }

  @AfterEach
  void stop() {
    http.close();
    stored.close();
  }

  private static List<String> ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "https://idp" + i + ".federation.example/saml").toList();
  }

  private static Map<String, Object> order(String xml, Object... more) throws CertificateEncodingException {
    Map<String, Object> order = new HashMap<>(Map.of("xml", xml, "verifyWith", PartnerMetadataFixture.pem(SamlFixtures.idpKey())));
    for (int i = 0; i < more.length; i += 2) {
      order.put((String) more[i], more[i + 1]);
    }
    return order;
  }

  private HttpResponse<String> send(String query, Map<String, Object> order) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + stored.admin.port() + "/admin/v1/realms/demo/partners/import-aggregate" + query))
            .header("Authorization", "Bearer " + stored.admin.key)
            .header("Content-Type", "application/json")
            .header("If-Match", "\"" + stored.realms.number() + "\"")
            .POST(HttpRequest.BodyPublishers.ofString(JSON.writeValueAsString(order)))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Waits for the end of the job, and returns it. */
  private JsonNode job(String query, Map<String, Object> order) throws IOException, InterruptedException {
    HttpResponse<String> started = send(query, order);
    assertThat(started.statusCode()).as(started.body()).isEqualTo(202);
    String address = started.headers().firstValue("Location").orElseThrow();
    Eventually.holds(() -> !JSON.readTree(get(address)).get("state").asString().equals("running"));
    return JSON.readTree(get(address));
  }

  private String get(String path) {
    try {
      return stored.admin.authorized("GET", path).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private List<PartnerConfig> partners() {
    return stored.realms.inUse().find("demo").orElseThrow().parties().partners();
  }

  @Test
  void allAreImportedInOneRevisionAndEndWithTheAggregate() throws IOException, InterruptedException, CertificateEncodingException {
    long before = stored.realms.number();
    String xml = PartnerMetadataFixture.signedAggregate(UNTIL, SamlFixtures.idpKey(), ids(0, 150));
    JsonNode preview = job("?dryRun=true", order(xml, "all", true));
    assertThat(preview.get("state").asString()).as(preview.toString()).isEqualTo("succeeded");
    assertThat(preview.get("result").get("added").asInt()).isEqualTo(150);
    assertThat(stored.realms.number()).isEqualTo(before);
    JsonNode done = job("", order(xml, "all", true, "settings", Map.of("release", List.of("uid"))));
    assertThat(done.get("state").asString()).as(done.toString()).isEqualTo("succeeded");
    assertThat(done.get("progress").get("done").asInt()).isEqualTo(150);
    assertThat(done.get("result").get("revision").asLong()).isEqualTo(before + 1).isEqualTo(stored.realms.number());
    assertThat(partners()).hasSize(151);
    assertThat(stored.realmFile()).contains("# The first one.", "metadata: demo/aggregates/");
    PartnerConfig last = partners().getLast();
    Path file = ((MetadataSource.File) last.metadata()).path();
    Result<PartnerMetadata, SamlRefusal> read =
        new CanonicalMetadataCodec().read(Files.readAllBytes(file), last.entityId(), Optional.empty(), TestTime.START);
    assertThat(((Result.Accepted<PartnerMetadata, SamlRefusal>) read).value().validUntil()).contains(UNTIL);
    assertThat(stored.admin.audit.events(Administered.class)).anyMatch(event -> event.details().getOrDefault("files", "").endsWith("101 more"));
  }

  @Test
  void anAggregateRenewsItsOwnPartnersAndNotThoseFromElsewhere() throws IOException, InterruptedException, CertificateEncodingException {
    List<String> first = List.of(BILATERAL, ids(0, 2).get(0), ids(0, 2).get(1));
    String xml = PartnerMetadataFixture.signedAggregate(UNTIL, SamlFixtures.idpKey(), first);
    JsonNode done = job("", order(xml, "all", true));
    assertThat(done.get("result").get("kept").asInt()).as(done.toString()).isEqualTo(1);
    assertThat(done.get("result").get("keptEntities").get(0).asString()).isEqualTo(BILATERAL);
    assertThat(partners().getFirst().metadata()).isInstanceOf(MetadataSource.Url.class);
    String later = PartnerMetadataFixture.signedAggregate(UNTIL.plusSeconds(60), SamlFixtures.idpKey(), List.of(BILATERAL, first.get(1)));
    JsonNode renewed = job("", order(later, "all", true));
    assertThat(renewed.get("result").get("renewed").asInt()).as(renewed.toString()).isEqualTo(1);
    assertThat(renewed.get("result").get("gone").get(0).asString()).isEqualTo(first.get(2));
    assertThat(job("", order(later, "entityIds", List.of(BILATERAL))).get("state").asString()).isEqualTo("succeeded");
    assertThat(partners().getFirst().metadata()).as("somebody named it").isInstanceOf(MetadataSource.File.class);
    assertThat(partners()).hasSize(3);
  }

  /** Well signed and not yet expired, it could bring revoked keys back, and entities that its publisher has removed. */
  @Test
  void anOlderAggregateIsRefusedUnlessSomebodySaysThatItMayBe() throws IOException, InterruptedException, CertificateEncodingException {
    List<String> ids = ids(0, 3);
    String xml = PartnerMetadataFixture.signedAggregate(UNTIL, SamlFixtures.idpKey(), ids.subList(0, 2));
    assertThat(job("", order(xml, "all", true)).get("state").asString()).isEqualTo("succeeded");
    assertThat(job("", order(xml, "all", true)).get("state").asString()).as("the same again").isEqualTo("succeeded");
    long before = stored.realms.number();
    String older = PartnerMetadataFixture.signedAggregate(UNTIL.minusSeconds(60), SamlFixtures.idpKey(), ids);
    failed("is older than one that was imported before", order(older, "all", true));
    failed("It is valid until " + UNTIL.minusSeconds(60), order(older, "all", true));
    failed(ids.get(1) + " until " + UNTIL, order(older, "entityIds", List.of(ids.get(2))));
    assertThat(job("?dryRun=true", order(older, "all", true)).get("problem").asString()).contains("`older=true`");
    assertThat(stored.realms.number()).isEqualTo(before);
    String another = PartnerMetadataFixture.signedAggregate(UNTIL.minusSeconds(60), SamlFixtures.idpKey(), List.of("urn:another"));
    assertThat(job("", order(another, "all", true)).get("state").asString()).as("of another federation").isEqualTo("succeeded");
    JsonNode forced = job("?older=true", order(older, "all", true));
    assertThat(forced.get("state").asString()).as(forced.toString()).isEqualTo("succeeded");
    assertThat(forced.get("result").get("added").asInt()).isEqualTo(1);
    assertThat(forced.get("result").get("renewed").asInt()).isEqualTo(2);
  }

  @Test
  void whatIsNoAggregateOrExpiredOrSignedBySomebodyElseChangesNothing() throws IOException, InterruptedException, CertificateEncodingException {
    long before = stored.realms.number();
    String good = PartnerMetadataFixture.signedAggregate(UNTIL, SamlFixtures.idpKey(), ids(0, 2));
    failed("is no SAML metadata", order("<a/>", "all", true));
    failed("not signed as a whole", order(PartnerMetadataFixture.aggregate(), "all", true));
    failed("no key of the metadata has signed", order(PartnerMetadataFixture.signedAggregate(UNTIL, SamlFixtures.strangerKey(), ids(0, 2)), "all", true));
    failed("the digest of", order(good.replace("idp.partner.example/sso", "evil.example/sso"), "all", true));
    failed("was valid until", order(PartnerMetadataFixture.signedAggregate(TestTime.START, SamlFixtures.idpKey(), ids(0, 2)), "all", true));
    failed("do not describe https://none.example", order(good, "entityIds", List.of("https://none.example")));
    failed("none that was asked for", order(good, "all", true, "role", "sp"));
    failed("is not a known key", order(good, "all", true, "settings", Map.of("colour", "blue")));
    String twice = PartnerMetadataFixture.signedAggregate(UNTIL, SamlFixtures.idpKey(), List.of("urn:a", "urn:a", "urn:b"));
    failed("more than once", order(twice, "entityIds", List.of("urn:a", "urn:b")));
    String own = PartnerMetadataFixture.signedAggregate(UNTIL, SamlFixtures.idpKey(), List.of("http://app.localhost:8000/.gatehouse/saml/metadata"));
    failed("is this node's own", order(own, "entityIds", List.of("http://app.localhost:8000/.gatehouse/saml/metadata")));
    failed("\"answers", Map.of("url", "http://10.0.0.1/", "all", true, "verifyWith", PartnerMetadataFixture.pem(SamlFixtures.idpKey())));
    assertThat(stored.realms.number()).isEqualTo(before);
    assertThat(stored.paths()).noneMatch(path -> path.contains("aggregates"));
  }

  private void failed(String why, Map<String, Object> order) throws IOException, InterruptedException {
    JsonNode job = job("", order);
    assertThat(job.get("state").asString()).as(job.toString()).isEqualTo("failed");
    if (!why.startsWith("\"")) {
      assertThat(job.get("problem").asString()).contains(why);
    }
    assertThat(job.get("problem").asString()).contains("Nothing was changed.");
  }

  @Test
  void theOrderIsCheckedFirst() throws IOException, InterruptedException, CertificateEncodingException {
    String xml = PartnerMetadataFixture.signedAggregate(UNTIL, SamlFixtures.idpKey(), ids(0, 1));
    for (Map<String, Object> wrong :
        List.of(
            order(xml), order(xml, "all", true, "entityIds", List.of("urn:a")), order(xml, "entityIds", List.of()),
            order(xml, "entityIds", List.of("urn:a"), "role", "idp"), order(xml, "all", true, "role", "admin"), order(xml, "all", true, "url", "https://x"),
            order(xml, "all", true, "settings", Map.of("metadata", "/etc/passwd")), Map.<String, Object>of("xml", xml, "all", true),
            Map.<String, Object>of("xml", xml, "all", true, "verifyWith", "nonsense"))) {
      assertThat(send("", wrong).statusCode()).as(wrong.keySet().toString()).isEqualTo(400);
    }
    HttpResponse<String> nowhere = stored.admin.post("/admin/v1/realms/none/partners/import-aggregate", JSON.writeValueAsString(order(xml, "all", true)));
    assertThat(nowhere.statusCode()).isEqualTo(404);
    assertThat(stored.admin.post("/admin/v1/realms/demo/partners/import-aggregate", JSON.writeValueAsString(order(xml, "all", true))).statusCode())
        .as("without If-Match")
        .isEqualTo(428);
  }
}
