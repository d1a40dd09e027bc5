package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.gateway.admin.StoredAdmin;
import dev.gatehouse.gateway.admin.partner.PartnerMetadataFixture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The pages for importing and testing partners, and for jobs. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PartnerPagesTest {

  private static final String PATH = "/console/realms/demo/partners/import";

  /** RFC 7517, appendix A.1. */
  private static final String KEYS =
      """
      {"keys":[{"kty":"EC","crv":"P-256","use":"sig","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
        "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]}
      """;

  private static final String CALLBACK = "http://app.localhost:8000/.gatehouse/oidc/callback";

  private static final Pattern HIDDEN = Pattern.compile("<input type=\"hidden\" name=\"(\\w+)\" value=\"([^\"]*)\"");

  private StoredAdmin stored;

  @BeforeAll
  void start(@TempDir Path folder) throws IOException, ConfigurationInvalid {
    stored = new StoredAdmin(folder);
  }

  @AfterAll
  void stop() {
    stored.close();
  }

  private ConsoleBrowser as(String grant) throws IOException, InterruptedException {
    String key = stored.admin.key(grant + " " + System.nanoTime(), List.of(AdministratorGrant.parse(grant)), Optional.empty());
    return ConsoleBrowser.loggedIn(stored.admin.port(), key);
  }

  /** Returns the fields of the page's last form. */
  private static String[] hidden(HttpResponse<String> page) {
    String last = page.body().substring(page.body().lastIndexOf("<form method=\"post\" enctype"));
    Map<String, String> fields = new TreeMap<>();
    Matcher field = HIDDEN.matcher(last);
    while (field.find()) {
      fields.put(field.group(1), field.group(2).replace("&quot;", "\"").replace("&#39;", "'").replace("&lt;", "<").replace("&amp;", "&"));
    }
    fields.remove("csrf");
    return fields.entrySet().stream().flatMap(one -> List.of(one.getKey(), one.getValue()).stream()).toArray(String[]::new);
  }

  private static String multipart(String... fields) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < fields.length; i += 2) {
      String file = fields[i].equals("file") ? "; filename=\"m.xml\"\r\nContent-Type: application/xml" : "";
      body.append("--XX\r\nContent-Disposition: form-data; name=\"").append(fields[i]).append('"').append(file).append("\r\n\r\n");
      body.append(fields[i + 1]).append("\r\n");
    }
    return body + "--XX--\r\n";
  }

  @Test
  void aFileIsShownFirstAndThenImported() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    assertThat(browser.get("/console/realms/demo/partners").body()).contains(PATH, "Test all partners");
    assertThat(browser.get(PATH).body()).contains("enctype=\"multipart/form-data\"", "name=\"file\"");
    String id = "https://file.partner.example/<script>alert(1)</script>".replace("<", "%3C").replace(">", "%3E");
    String xml = PartnerMetadataFixture.idp(id, TestTime.START.plusSeconds(60), SamlFixtures.idpKey()) + "\n";
    HttpResponse<String> preview =
        browser.sendAs("multipart/form-data; boundary=XX", PATH, multipart("csrf", browser.csrf, "url", "", "xml", "", "file", xml, "entityId", ""));
    assertThat(preview.statusCode()).as(preview.body()).isEqualTo(200);
    assertThat(preview.body())
        .contains("What was found", "Partner &lt;b&gt;&amp;&quot;", "unchanged, but by an unknown key", "SingleSignOnService", "Import now")
        .contains(Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8)))
        .doesNotContain("<b>&", "remove=\"all\"", "th:text");
    assertThat(stored.realmFile()).doesNotContain("file.partner.example");
    HttpResponse<String> done = browser.post(PATH, hidden(preview));
    assertThat(done.statusCode()).as(done.body()).isEqualTo(303);
    assertThat(done.headers().firstValue("Location").orElse("")).startsWith("/console/realms/demo/partners?q=https%3A%2F%2Ffile.partner");
    assertThat(stored.realmFile()).contains("file.partner.example");
    HttpResponse<String> stale = browser.post(PATH, hidden(preview));
    assertThat(stale.statusCode()).isEqualTo(412);
    assertThat(stale.body()).contains("Something else was changed in between");
  }

  @Test
  void problemsAreShownAsTextAndThereIsNoWayToImport() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    browser.get(PATH);
    HttpResponse<String> refused = browser.post(PATH, "xml", "<script>alert(1)</script>");
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("It cannot be imported", "script where metadata is expected").doesNotContain("Import now", "<script>alert");
    HttpResponse<String> hostile = browser.post(PATH, "url", "https://\"><script>alert(2)</script>");
    assertThat(hostile.statusCode()).isEqualTo(422);
    assertThat(hostile.body()).doesNotContain("<script>alert");
    HttpResponse<String> several = browser.post(PATH, "xml", PartnerMetadataFixture.aggregate());
    assertThat(several.body()).contains("The metadata describe 2 entities", "https://other.partner.example/saml", "list=\"entities\"");
    assertThat(browser.post(PATH, "url", "https://x", "xml", "<a/>").statusCode()).isEqualTo(400);
    assertThat(browser.post(PATH, "document", "%%%").statusCode()).isEqualTo(400);
    assertThat(browser.sendAs("multipart/form-data; boundary=XX", PATH, "nonsense").statusCode()).isIn(400, 403);
    assertThat(browser.sendAs("multipart/form-data", PATH, "nonsense").statusCode()).isIn(400, 403);
    assertThat(browser.sendAs("multipart/form-data; boundary=XX", PATH, multipart("xml", "<a/>")).statusCode()).as("no csrf").isEqualTo(403);
    ConsoleBrowser stranger = new ConsoleBrowser(stored.admin.port());
    assertThat(stranger.sendAs("multipart/form-data; boundary=XX", "/console/login", multipart("key", "x".repeat(1 << 17))).statusCode())
        .as("files are read of those alone who are logged in")
        .isEqualTo(413);
    String large = "x".repeat(4 << 20);
    assertThat(browser.sendAs("multipart/form-data; boundary=XX", PATH, multipart("csrf", browser.csrf, "file", large)).statusCode()).isEqualTo(413);
  }

  @Test
  void anOpenIdProviderIsShownFirstAndThenImported() throws IOException, InterruptedException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String issuer = "http://localhost:" + server.getAddress().getPort();
    String discovery =
        """
        {"issuer":"%1$s","jwks_uri":"%1$s/keys","authorization_endpoint":"%1$s/a","token_endpoint":"%1$s/t",
         "token_endpoint_auth_methods_supported":["private_key_jwt"],"scopes_supported":["<script>alert(1)</script>"]}
        """.formatted(issuer);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = (exchange.getRequestURI().getPath().equals("/keys") ? KEYS : discovery).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      ConsoleBrowser browser = as("admin@demo");
      String path = "/console/realms/demo/providers/import";
      assertThat(browser.get("/console/realms/demo/partners").body()).contains(path);
      assertThat(browser.get(path).body())
          .contains("name=\"issuer\"", "demo.provider", "<code>" + CALLBACK + "</code>", "<code>" + CALLBACK + "/ALIAS</code>")
          .doesNotContain("th:text");
      assertThat(browser.post(path, "issuer", "nonsense").statusCode()).isEqualTo(400);
      HttpResponse<String> refused = as("admin").post(path, "issuer", issuer + "/other");
      assertThat(refused.statusCode()).isEqualTo(422);
      assertThat(refused.body()).contains("another issuer").doesNotContain("Import now");
      assertThat(browser.post(path, "issuer", issuer).body()).as("by the grant of the realm").contains("is not where this realm may connect to");
      ConsoleBrowser all = as("admin");
      HttpResponse<String> preview = all.post(path, "issuer", issuer, "clientId", "gatehouse");
      assertThat(preview.statusCode()).as(preview.body()).isEqualTo(200);
      assertThat(preview.body())
          .contains("http://app.localhost:8000/.gatehouse/oidc/callback", "token_endpoint", "PKCE", "Import now", "&lt;script&gt;alert(1)")
          .doesNotContain("<script>alert", "th:text");
      String digest = preview.body().replaceAll("(?s).*name=\"digest\" value=\"([0-9a-f]+)\".*", "$1");
      String tag = "\"" + stored.realms.number() + "\"";
      HttpResponse<String> done = all.post(path, "issuer", issuer, "clientId", "gatehouse", "digest", digest, "ifMatch", tag);
      assertThat(done.statusCode()).as(done.body()).isEqualTo(303);
      assertThat(stored.realmFile()).contains("issuer: " + issuer, "clientId: gatehouse");
      assertThat(all.post(path, "issuer", issuer, "clientId", "gatehouse", "digest", digest, "ifMatch", tag).statusCode()).isEqualTo(412);
      assertThat(page(all, "/console/realms/demo")).contains(issuer, "Redirect URI to register there", "<code>" + CALLBACK + "</code>");
      anAliasGivesItARedirectUriOfItsOwn(all, path, issuer, digest);
    } finally {
      server.stop(0);
    }
  }

  private void anAliasGivesItARedirectUriOfItsOwn(ConsoleBrowser browser, String path, String issuer, String digest)
      throws IOException, InterruptedException {
    String own = "<code>" + CALLBACK + "/customers</code>";
    HttpResponse<String> preview = browser.post(path, "issuer", issuer, "clientId", "gatehouse", "alias", "customers");
    assertThat(preview.body()).contains(own, "name=\"alias\" value=\"customers\"", "Import now");
    String tag = "\"" + stored.realms.number() + "\"";
    HttpResponse<String> done =
        browser.post(path, "issuer", issuer, "clientId", "gatehouse", "alias", "customers", "digest", digest, "ifMatch", tag);
    assertThat(done.statusCode()).as(done.body()).isEqualTo(303);
    assertThat(stored.realmFile()).contains("alias: customers");
    assertThat(page(browser, "/console/realms/demo")).contains(own).doesNotContain(CALLBACK + "</code>");
    assertThat(browser.post(path, "issuer", issuer, "clientId", "gatehouse").body()).as("it stays").contains(own);
  }

  @Test
  void anOlderAggregateIsImportedByASecondStepAlone() throws IOException, InterruptedException, CertificateEncodingException {
    ConsoleBrowser browser = as("admin");
    Instant until = TestTime.START.plus(Duration.ofDays(7));
    List<String> ids = List.of("https://one.older.example/saml", "https://two.older.example/saml");
    String newest = PartnerMetadataFixture.signedAggregate(until, SamlFixtures.idpKey(), ids);
    assertThat(ended(browser, importing(browser, newest))).contains("done</span>");
    long before = stored.realms.number();
    String older = PartnerMetadataFixture.signedAggregate(until.minusSeconds(60), SamlFixtures.idpKey(), ids);
    String job = importing(browser, older);
    String again = PATH + "?refused=" + job.substring(job.lastIndexOf('/') + 1);
    String refusal = "The aggregate is older than one that was imported before";
    assertThat(ended(browser, job))
        .contains("failed</span>", refusal, "It is valid until " + until.minusSeconds(60), ids.getFirst() + " until " + until)
        .contains("href=\"" + again + "\"")
        .doesNotContain("th:text");

    String asked = "name=\"older\"";
    assertThat(page(browser, again)).contains(refusal, "Give the same metadata once more").doesNotContain(asked, "th:text");
    assertThat(page(browser, PATH)).doesNotContain(refusal);
    assertThat(page(browser, PATH + "?refused=none")).doesNotContain(refusal);
    assertThat(browser.post(PATH, "xml", older).body()).contains("Import as a job").doesNotContain(asked);
    String refused = job.substring(job.lastIndexOf('/') + 1);
    assertThat(browser.post(PATH, "xml", older, "refused", refused).body())
        .contains(refusal, "<input type=\"checkbox\" " + asked, "although they are older")
        .doesNotContain("checked=", "th:text");
    assertThat(ended(browser, importing(browser, older, "refused", refused))).as("not ticked").contains("failed</span>");
    assertThat(stored.realms.number()).isEqualTo(before);

    assertThat(ended(browser, importing(browser, older, "refused", refused, "older", "true"))).contains("done</span>");
    assertThat(stored.realms.number()).isEqualTo(before + 1);
    assertThat(stored.admin.audit.events(Administered.class))
        .anyMatch(event -> event.action().equals("partner.import-aggregate") && "true".equals(event.details().get("older")));
  }

  /** Starts the import of all entities of the aggregate; returns the address of the job. */
  private String importing(ConsoleBrowser browser, String xml, String... more)
      throws IOException, InterruptedException, CertificateEncodingException {
    List<String> fields = new ArrayList<>(List.of("document", Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8))));
    fields.addAll(List.of("which", "all", "verifyWith", PartnerMetadataFixture.pem(SamlFixtures.idpKey())));
    fields.addAll(List.of("ifMatch", "\"" + stored.realms.number() + "\""));
    fields.addAll(List.of(more));
    HttpResponse<String> started = browser.post("/console/realms/demo/partners/import-aggregate", fields.toArray(String[]::new));
    assertThat(started.statusCode()).as(started.body()).isEqualTo(303);
    return started.headers().firstValue("Location").orElseThrow();
  }

  /** Returns the page of a job that has ended. */
  private static String ended(ConsoleBrowser browser, String job) {
    Eventually.holds(() -> !page(browser, job).contains("running</span>"));
    return page(browser, job);
  }

  @Test
  void someOfAnAggregateAreImportedByAJob() throws IOException, InterruptedException, CertificateEncodingException {
    ConsoleBrowser browser = as("admin");
    String id = "https://job.federation.example/saml";
    String xml = PartnerMetadataFixture.signedAggregate(TestTime.START.plusSeconds(60), SamlFixtures.idpKey(), List.of(id, "urn:other"));
    String path = "/console/realms/demo/partners/import-aggregate";
    assertThat(browser.post(PATH, "xml", xml).body()).contains("action=\"" + path, "Import as a job");
    String document = Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8));
    String tag = "\"" + stored.realms.number() + "\"";
    assertThat(browser.post(path, "document", document, "which", "all", "ifMatch", tag).statusCode()).as("without a certificate").isEqualTo(400);
    HttpResponse<String> started =
        browser.post(
            path, "document", document, "which", "named", "entityIds", id, "verifyWith", PartnerMetadataFixture.pem(SamlFixtures.idpKey()),
            "ifMatch", tag);
    assertThat(started.statusCode()).as(started.body()).isEqualTo(303);
    String job = started.headers().firstValue("Location").orElseThrow();
    Eventually.holds(() -> page(browser, job).contains("addedEntities"));
    assertThat(page(browser, job)).contains(id).doesNotContain("keptEntities", "th:text");
    assertThat(stored.realmFile()).contains(id).doesNotContain("urn:other");
  }

  @Test
  void onlyAdministratorsImportAndOperatorsTest() throws IOException, InterruptedException {
    ConsoleBrowser operator = as("operator@demo");
    assertThat(operator.get("/console/realms/demo/partners").body()).doesNotContain(PATH).contains("Test all partners");
    assertThat(operator.get(PATH).statusCode()).isEqualTo(403);
    assertThat(operator.post(PATH, "xml", PartnerMetadataFixture.idp()).statusCode()).isEqualTo(403);
    assertThat(operator.post("/console/jobs/audit-verification").statusCode()).isEqualTo(403);
    assertThat(as("viewer@demo").post("/console/realms/demo/partners/test").statusCode()).isEqualTo(403);
  }

  @Test
  void aPartnerIsTestedAndAllOfThemAsAJob() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("operator");
    String id = stored.admin.partners().getFirst().entityId();
    HttpResponse<String> one = browser.post("/console/realms/demo/partner/test", "id", id);
    assertThat(one.statusCode()).as(one.body()).isEqualTo(200);
    assertThat(one.body()).contains("Nothing was changed", id).doesNotContain("th:text");
    assertThat(browser.post("/console/realms/demo/partner/test", "id", "urn:none").statusCode()).isEqualTo(404);
    HttpResponse<String> started = browser.post("/console/realms/demo/partners/test");
    assertThat(started.statusCode()).isEqualTo(303);
    String job = started.headers().firstValue("Location").orElseThrow();
    Eventually.holds(() -> page(browser, job).contains("done</span>"));
    assertThat(page(browser, job)).contains("Test of all partners", "tested").doesNotContain("th:text");
    assertThat(browser.get("/console/jobs").body()).contains(job, "Verify the audit log").doesNotContain("Archive old files");
    assertThat(browser.post(job + "/cancel").statusCode()).isEqualTo(409);
    assertThat(as("viewer@other").get(job).statusCode()).isEqualTo(404);
    assertThat(stored.admin.audit.events(Administered.class)).extracting(Administered::action).contains("partner.test", "partner.test-all", "job.end");
  }

  @Test
  void theAuditLogIsVerifiedFromThePage() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin");
    HttpResponse<String> started = browser.post("/console/jobs/audit-verification");
    String job = started.headers().firstValue("Location").orElseThrow();
    Eventually.holds(() -> page(browser, job).contains("problemCount"));
    HttpResponse<String> archive = browser.post("/console/jobs/audit-archive");
    assertThat(archive.statusCode()).isEqualTo(409);
    assertThat(archive.body()).contains("No archive is configured");
    browser.language = "de";
    assertThat(page(browser, "/console/jobs")).contains("Lange Arbeiten dieses Knotens oder");
  }

  private static String page(ConsoleBrowser browser, String path) {
    try {
      return browser.get(path).body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
