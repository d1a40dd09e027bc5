package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.audit.RecordingAuditLog;
import dev.gatehouse.common.db.AdministratorGrants;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.realm.ClientAuthentication.ClientSecret;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.file.ConfigurationFiles;
import dev.gatehouse.common.revision.ChangeScope;
import dev.gatehouse.common.revision.RevisionStore;
import dev.gatehouse.common.revision.StoredRealms;
import dev.gatehouse.common.revision.StoredRealms.Change;
import dev.gatehouse.common.revision.StoredRealms.ProposedChange;
import dev.gatehouse.gateway.admin.TestAdmin;
import dev.gatehouse.gateway.admin.configuration.ConfigurationControl;
import dev.gatehouse.gateway.revision.StoredConfiguration;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The wizard that adds an app, over the configuration of a node in its database. */
class AppWizardTest {

  private static final InstantSource NOW = InstantSource.fixed(Instant.parse("2026-11-23T16:00:00Z"));
  private static final String DEMO = "realms/demo.yaml";
  private static final String REALM =
      """
      # This comment stays.
      idp: {publicUrl: "http://idp.localhost:8080", unsolicited: true}
      sp: {publicUrl: "http://app.localhost:8000"}
      directory: {urls: "ldap://127.0.0.1:10389", base: "dc=example,dc=org"}
      partners:
        - entityId: http://idp.localhost:8080/realms/demo
      routes:
        - {name: app, path: /, upstream: "http://127.0.0.1:9000"}
      """;
  private static final String METADATA =
      """
      <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://wiki.example.org/saml?a=1&amp;b=2">
      <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><AssertionConsumerService index="0"
      Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://wiki.example.org/acs"/></SPSSODescriptor></EntityDescriptor>
      """;
  private static final Pattern HIDDEN = Pattern.compile("<input type=\"hidden\" name=\"([^\"]+)\" value=\"([^\"]*)\">");
  private static final Pattern SECRET = Pattern.compile("<code>([A-Za-z0-9_-]{43})</code>");
  private static final String ADD = "/console/realms/demo/add/";

  @TempDir Path folder;
  private final Database database = Database.inMemory();
  private final RevisionStore store = new RevisionStore(database, SealingKey.inMemory(new SecureRandom()), NOW);
  private StoredRealms realms;
  private TestAdmin admin;
  private ConsoleBrowser browser;

  @BeforeEach
  void start() throws IOException, ConfigurationInvalid, InterruptedException {
    Path config = folder.resolve("config");
    Files.createDirectories(config.resolve("realms"));
    Files.writeString(config.resolve("gatehouse.yaml"), "configuration: {source: database}\ndata: ../data\n");
    Files.writeString(config.resolve(DEMO), REALM);
    ConfigurationFiles files = new ConfigurationFiles(config, Map.of());
    Node node = files.loadNode().node();
    realms = StoredRealms.open(files, node, store, new RecordingAuditLog(), NOW);
    admin =
        new TestAdmin(
            folder.resolve("admin"),
            beans -> {
              beans.registerBean(RevisionStore.class, () -> store);
              beans.registerBean(StoredRealms.class, () -> realms);
              beans.registerBean(Realms.class, () -> realms.inUse());
              beans.registerBean(Node.class, () -> node);
              beans.registerBean(
                  ConfigurationControl.class, () -> new StoredConfiguration(realms, beans.getBean(AdministratorGrants.class)));
            });
    browser = ConsoleBrowser.loggedIn(admin.port(), admin.key);
  }

  @AfterEach
  void stop() {
    admin.close();
    database.close();
  }

  private Realm realm() {
    return realms.inUse().find("demo").orElseThrow();
  }

  private void somebodyElseChanges(String comment) {
    byte[] text = (REALM + "# " + comment + "\n").getBytes(StandardCharsets.UTF_8);
    assertThat(realms.apply(new ProposedChange(realms.number(), Map.of(DEMO, text), true, Map.of(), "other", comment, ChangeScope.all())))
        .isInstanceOf(Change.Applied.class);
  }

  private String text(long revision) {
    return new String(Objects.requireNonNull(store.tree(revision).files().get(DEMO)).content(), StandardCharsets.UTF_8);
  }

  /** The hidden fields of the plan, as the browser sends them. */
  private static String[] fields(HttpResponse<String> page) {
    List<String> fields = new ArrayList<>();
    Matcher hidden = HIDDEN.matcher(page.body());
    while (hidden.find()) {
      if (!hidden.group(1).equals("csrf")) {
        fields.add(hidden.group(1));
        fields.add(
            hidden.group(2).replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&#39;", "'").replace("&amp;", "&"));
      }
    }
    return fields.toArray(String[]::new);
  }

  private HttpResponse<String> confirmed(String kind, HttpResponse<String> plan) throws IOException, InterruptedException {
    assertThat(plan.statusCode()).as(plan.body()).isEqualTo(200);
    return browser.post(ADD + kind + "/confirm", fields(plan));
  }

  @Test
  void aServiceProviderIsAddedByItsMetadataAfterItsPlanWasSeen() throws IOException, InterruptedException {
    assertThat(browser.get("/console/realms/demo").body()).contains("/console/realms/demo/add");
    assertThat(browser.get("/console/realms/demo/add").body()).contains("SAML service provider", "OpenID Connect client", "login form of its own");
    assertThat(browser.get(ADD + "saml").body()).contains("name=\"metadata\"");
    HttpResponse<String> plan =
        browser.post(ADD + "saml", "metadata", METADATA, "displayName", "Wiki", "release", "uid, mail", "nameId", "persistent");
    assertThat(plan.body()).contains("Nothing has changed yet", "added", "https://wiki.example.org/saml?a=1&amp;b=2");
    assertThat(realms.number()).isEqualTo(1);
    HttpResponse<String> added = confirmed("saml", plan);
    assertThat(added.statusCode()).as(added.body()).isEqualTo(303);
    var partner = realm().parties().partners().getLast();
    assertThat(partner.entityId()).isEqualTo("https://wiki.example.org/saml?a=1&b=2");
    assertThat(partner.release()).containsOnlyKeys("uid", "mail");
    assertThat(text(2)).contains("# This comment stays.");
    assertThat(store.tree(2).files().keySet()).anyMatch(path -> path.startsWith("partners/demo-wiki-example-org"));
    Administered event = admin.audit.events(Administered.class).getLast();
    assertThat(event.action()).isEqualTo("configuration.apply");
    assertThat(event.details()).containsEntry("before", "1").containsEntry("after", "2");
    assertThat(event.details().get("fields")).contains("demo/partner/https://wiki.example.org/saml?a=1&b=2/", "release");
    String page = browser.get(added.headers().firstValue("Location").orElseThrow()).body();
    assertThat(page).contains("The app is known here", "http://idp.localhost:8080/realms/demo/saml/init?sp=https%3A%2F%2Fwiki", "mod_auth_mellon");
  }

  @Test
  void aServiceProviderWithoutMetadataIsItsEntityIdAndAddress() throws IOException, InterruptedException {
    HttpResponse<String> plan = browser.post(ADD + "saml", "entityId", "urn:wiki\"<a>", "acs", "https://wiki.example.org/acs");
    assertThat(plan.statusCode()).as("an entity ID that is no URI").isEqualTo(422);
    plan = browser.post(ADD + "saml", "entityId", "urn:wiki", "acs", "https://wiki.example.org/acs?a=1&b=2");
    assertThat(confirmed("saml", plan).statusCode()).isEqualTo(303);
    assertThat(realm().parties().partners().getLast().entityId()).isEqualTo("urn:wiki");
    for (String acs : List.of("", "javascript:alert(1)", "http://wiki.example.org/acs", "https:///acs", "nonsense")) {
      HttpResponse<String> refused = browser.post(ADD + "saml", "entityId", "urn:other", "acs", acs);
      assertThat(refused.statusCode()).as(acs).isEqualTo(422);
      assertThat(refused.body()).contains("type in the address to which assertions go", "value=\"urn:other\"");
    }
  }

  @Test
  void whatIsNoMetadataChangesNothing() throws IOException, InterruptedException {
    String entities = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]>" + METADATA;
    for (String metadata : List.of("hello", "<EntityDescriptor entityID='urn:x'/>", METADATA.replace("SPSSO", "XSSO"), entities)) {
      HttpResponse<String> refused = browser.post(ADD + "saml", "metadata", metadata);
      assertThat(refused.statusCode()).as(metadata).isEqualTo(422);
      assertThat(refused.body()).contains("role=\"alert\"").doesNotContain("<EntityDescriptor");
    }
    assertThat(browser.post(ADD + "saml", "metadata", "x".repeat(AppForm.LONGEST_METADATA + 1)).statusCode()).isEqualTo(400);
    assertThat(browser.post(ADD + "saml", "metadata", "x".repeat(4 << 20)).statusCode()).isEqualTo(413);
    assertThat(realms.number()).isEqualTo(1);
  }

  @Test
  void aClientGetsASecretThatIsShownOnce() throws IOException, InterruptedException {
    HttpResponse<String> plan =
        browser.post(ADD + "openid", "clientId", "wiki", "redirectUris", "https://wiki.example.org/a\r\nhttps://wiki.example.org/b", "scopes", "openid email");
    HttpResponse<String> added = confirmed("openid", plan);
    assertThat(added.statusCode()).as(added.body()).isEqualTo(200);
    Matcher shown = SECRET.matcher(added.body());
    assertThat(shown.find()).isTrue();
    String secret = shown.group(1);
    var client = realm().parties().clients().getFirst();
    assertThat(client.permissions().redirectUris()).containsExactly("https://wiki.example.org/a", "https://wiki.example.org/b");
    assertThat(client.permissions().scopes()).containsExactlyInAnyOrder("openid", "email");
    assertThat(client.authentication().secret()).hasValue(new ClientSecret.Configured(new Secret(secret)));
    assertThat(plan.body()).doesNotContain(secret);
    assertThat(added.body()).contains("OIDCClientSecret &quot;" + secret + "&quot;", "issuer-uri: &quot;http://idp.localhost:8080/realms/demo&quot;");
    assertThat(added.headers().firstValue("Cache-Control")).hasValue("no-store");
    for (String path : List.of("/console/realms/demo/connect?kind=clients&id=wiki", "/console/revisions/2", "/console/realms/demo/clients")) {
      assertThat(browser.get(path).body()).as(path).contains("wiki").doesNotContain(secret);
    }
    assertThat(browser.get("/console/realms/demo/connect?kind=clients&id=wiki").body())
        .contains("/oauth/authorize?response_type=code&amp;client_id=wiki", "code_challenge=", "YOUR-CLIENT-SECRET");
    assertThat(admin.audit.events(Administered.class).toString()).doesNotContain(secret);
    HttpResponse<String> again = browser.post(ADD + "openid", "clientId", "wiki", "redirectUris", "https://evil.example/");
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("There is an entry wiki in clients already");
  }

  @Test
  void aPublicClientHasNoSecret() throws IOException, InterruptedException {
    HttpResponse<String> plan = browser.post(ADD + "openid", "clientId", "phone", "redirectUris", "https://wiki.example.org/a", "type", "public");
    assertThat(confirmed("openid", plan).statusCode()).isEqualTo(303);
    assertThat(realm().parties().clients().getFirst().isPublic()).isTrue();
    assertThat(store.secrets()).isEmpty();
  }

  @Test
  void routesAreAddedAndTheirSnippetsHaveTheRealValues() throws IOException, InterruptedException {
    HttpResponse<String> plan =
        browser.post(ADD + "proxied", "name", "shop", "path", "/shop/", "upstream", "http://127.0.0.1:9100", "roles", "staff manager");
    HttpResponse<String> added = confirmed("proxied", plan);
    String page = browser.get(added.headers().firstValue("Location").orElseThrow()).body();
    assertThat(page).contains("http://app.localhost:8000/shop/", "proxy_pass http://127.0.0.1:9100;", "proxy_pass http://127.0.0.1:8000;", "forward_auth", "authResponseHeaders");
    HttpResponse<String> form =
        browser.post(
            ADD + "form-fill", "name", "old", "path", "/old/", "upstream", "http://127.0.0.1:9101", "formPath", "/old/login", "userField", "u",
            "passwordField", "p", "credentials", "own");
    assertThat(confirmed("form-fill", form).statusCode()).isEqualTo(303);
    assertThat(realm().gateway().routes()).extracting(route -> route.name()).containsExactly("app", "shop", "old");
    HttpResponse<String> wrong = browser.post(ADD + "proxied", "name", "x", "path", "relative", "upstream", "ftp://x", "access", "public", "roles", "a");
    assertThat(wrong.statusCode()).isEqualTo(422);
    assertThat(wrong.body()).contains("routes[3].path", "routes[3].upstream", "routes[3].roles", "value=\"relative\"");
  }

  @Test
  void aChangeInBetweenIsSaidAndThePlanIsMadeAnew() throws IOException, InterruptedException {
    HttpResponse<String> plan = browser.post(ADD + "proxied", "name", "shop", "path", "/shop/", "upstream", "http://127.0.0.1:9100");
    somebodyElseChanges("meanwhile");
    HttpResponse<String> stale = browser.post(ADD + "proxied/confirm", fields(plan));
    assertThat(stale.statusCode()).isEqualTo(412);
    assertThat(stale.body()).contains("Somebody else changed the configuration in between", "127.0.0.1:9100");
    assertThat(realms.number()).isEqualTo(2);
    assertThat(browser.post(ADD + "proxied/confirm", fields(stale)).statusCode()).isEqualTo(303);
    assertThat(text(3)).contains("# meanwhile", "shop");
    assertThat(browser.post(ADD + "proxied/confirm", "name", "b", "path", "/b/", "upstream", "http://127.0.0.1:1").statusCode()).isEqualTo(428);
  }

  @Test
  void onlyAdministratorsOfAllRealmsAddApps() throws IOException, InterruptedException {
    for (String role : List.of("viewer", "operator", "admin@demo")) {
      ConsoleBrowser other =
          ConsoleBrowser.loggedIn(admin.port(), admin.key(role.replace('@', '-'), List.of(AdministratorGrant.parse(role)), Optional.empty()));
      assertThat(other.get("/console/realms/demo").body()).doesNotContain("/add");
      assertThat(other.get("/console/realms/demo/add").statusCode()).isEqualTo(403);
      assertThat(other.get(ADD + "saml").statusCode()).isEqualTo(403);
      assertThat(other.post(ADD + "openid", "clientId", "a", "redirectUris", "https://a.example/").statusCode()).isEqualTo(403);
      assertThat(other.post(ADD + "openid/confirm", "clientId", "a", "redirectUris", "https://a.example/", "ifMatch", "\"1\"").statusCode()).isEqualTo(403);
    }
    assertThat(browser.get("/console/realms/none/add").statusCode()).isEqualTo(404);
    assertThat(browser.get(ADD + "none").statusCode()).isEqualTo(404);
    assertThat(browser.get("/console/realms/demo/connect?kind=clients&id=none").statusCode()).isEqualTo(404);
    assertThat(browser.get("/console/realms/demo/connect?kind=none&id=none").statusCode()).isEqualTo(404);
    assertThat(realms.number()).isEqualTo(1);
  }

  @Test
  void whatIsTypedInStaysText() throws IOException, InterruptedException {
    String hostile = "\"'><script>alert(1)</script>\u0000";
    for (AppKind kind : AppKind.values()) {
      List<String> fields = new ArrayList<>();
      kind.fields().forEach(field -> fields.addAll(List.of(field, hostile)));
      HttpResponse<String> refused = browser.post(ADD + kind.word(), fields.toArray(String[]::new));
      assertThat(refused.statusCode()).as(kind.word()).isBetween(400, 422);
      assertThat(refused.body()).as(kind.word()).doesNotContain("<script>");
    }
    assertThat(realms.number()).isEqualTo(1);
  }
}
