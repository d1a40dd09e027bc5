package dev.gatehouse.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent.Administered;
import dev.gatehouse.common.key.AdministratorGrant;
import dev.gatehouse.common.page.ThemePages;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.common.realm.ThemeConfig;
import dev.gatehouse.gateway.admin.StoredAdmin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Themes by REST and in the console: tried out, refused, stored. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ThemeTest {

  private static final JsonMapper JSON = JsonMapper.shared();
  private static final String REST = "/admin/v1/realms/demo/theme";
  private static final String PAGE = "/console/realms/demo/theme";
  private static final String SVG = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\"><path d=\"M0 0h9v9z\"/></svg>";
  private static final String HOSTILE = "</title><script>alert(1)</script>\"'[[$${1234*5678}]]";

  private final HttpClient http = HttpClient.newHttpClient();
  private StoredAdmin stored;
  private String ofRealm = "";

  @BeforeAll
  void start(@TempDir Path folder) throws IOException, ConfigurationInvalid {
    stored = new StoredAdmin(folder);
    ofRealm = stored.admin.key("of realm", List.of(AdministratorGrant.parse("admin@demo")), Optional.empty());
  }

  @AfterAll
  void stop() {
    http.close();
    stored.close();
  }

  private HttpResponse<String> send(String method, String path, String key, String ifMatch, String body) throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + stored.admin.port() + path))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!ifMatch.isEmpty()) {
      request.header("If-Match", ifMatch);
    }
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private String tag() {
    return "\"" + stored.realms.number() + "\"";
  }

  private ThemeConfig theme() {
    return stored.realms.inUse().find("demo").orElseThrow().brand().theme();
  }

  private static String json(Map<String, Object> theme) {
    return JSON.writeValueAsString(theme);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, Object> whole() {
    String template = ThemePages.source("error").replace("<h1", "<p class=\"lead\">Ask the desk.</p>\n<h1");
    return Map.of(
        "displayName", "Example: \"Inc\" # 1", "accent", "#c00040", "light", Map.of("card", "#fffff0"), "dark", Map.of("text", "#ffffff"),
        "logo", base64(SVG), "texts", Map.of("en", Map.of("error.denied.title", HOSTILE), "de", Map.of("error.reason", "Weshalb: \u00e4")),
        "templates", Map.of("error", template));
  }

  @Test
  void whatWasTriedOutIsWhatIsStored() throws IOException, InterruptedException {
    HttpResponse<String> preview = send("POST", REST + "/preview?page=error&language=en", ofRealm, "", json(whole()));
    assertThat(preview.statusCode()).as(preview.body()).isEqualTo(200);
    JsonNode shown = JSON.readTree(preview.body());
    String html = shown.get("html").asString();
    assertThat(html)
        .contains("Ask the desk.", "--accent:#c00040", "--card:#fffff0", "data:image/svg+xml;base64,", "&lt;script&gt;alert(1)", "Inc&quot; # 1")
        .doesNotContain("<script", "7006652");
    assertThat(shown.get("problems")).isEmpty();
    assertThat(shown.get("contrasts")).hasSize(4).allSatisfy(contrast -> assertThat(contrast.get("ratio").asDouble()).isGreaterThanOrEqualTo(4.5));
    assertThat(stored.realmFile()).doesNotContain("displayName");

    HttpResponse<String> put = send("PUT", REST + "?reason=new", ofRealm, tag(), json(whole()));
    assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
    assertThat(stored.realmFile()).startsWith(StoredAdmin.REALM).contains("brand:\n  displayName: ");
    assertThat(stored.paths()).contains("realms/demo/theme/logo.svg", "realms/demo/theme/error.html");
    assertThat(theme().templates().get("error")).contains("Ask the desk.");
    HttpResponse<String> read = send("GET", REST, ofRealm, "", "");
    assertThat(JSON.readTree(read.body())).isEqualTo(JSON.readTree(json(whole())));
    assertThat(read.headers().firstValue("ETag")).contains(tag());
    assertThat(stored.admin.audit.events(Administered.class)).extracting(Administered::action).contains("theme.preview", "configuration.apply");

    assertThat(send("PUT", REST, ofRealm, tag(), json(whole())).statusCode()).as("the same again").isEqualTo(200);
    assertThat(send("PUT", REST, ofRealm, "\"0\"", json(Map.of())).statusCode()).isEqualTo(412);
    assertThat(send("PUT", REST, ofRealm, "", json(Map.of())).statusCode()).isEqualTo(428);
    assertThat(send("PUT", REST, ofRealm, tag(), "{}").statusCode()).isEqualTo(201);
    assertThat(theme()).isEqualTo(ThemeConfig.NONE);
    assertThat(stored.paths()).doesNotContain("realms/demo/theme/logo.svg");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "accent | \"red; } * { display: none\" | brand.accent",
        "accent | \"${HOME}\" | brand.accent",
        "light | {\"text\": \"#dddddd\"} | brand.light",
        "light | {\"colour\": \"#dddddd\"} | brand.light.colour",
        "texts | {\"en\": {\"console.login.submit\": \"x\"}} | brand.texts.en.console.login.submit",
        "texts | {\"en\": {\"error.reason\": \"{7}\"}} | brand.texts.en.error.reason",
        "texts | {\"en\": {\"error.reason\": \"${HOME}\"}} | brand.texts.en.error.reason",
        "texts | {\"../x\": {\"error.reason\": \"x\"}} | brand.texts.../x",
        "templates | {\"error\": \"<main><script>alert(1)</script></main>\"} | brand.templates.error",
        "templates | {\"login\": \"<main>no form</main>\"} | brand.templates.login",
        "logo | \"PHN2Zz48c2NyaXB0Lz48L3N2Zz4=\" | brand.logo"
      })
  void whatCannotBeUsedIsSaidAndChangesNothing(String key, String value, String problem) throws IOException, InterruptedException {
    long before = stored.realms.number();
    String body = "{\"" + key + "\": " + value + "}";
    HttpResponse<String> put = send("PUT", REST, ofRealm, tag(), body);
    assertThat(put.statusCode()).as(put.body()).isEqualTo(422);
    assertThat(JSON.readTree(put.body()).get("problems").get(0).get("key").asString()).isEqualTo(problem);
    JsonNode preview = JSON.readTree(send("POST", REST + "/preview", ofRealm, "", body).body());
    assertThat(preview.get("problems").get(0).get("key").asString()).isEqualTo(problem);
    assertThat(preview.has("html")).isFalse();
    assertThat(stored.realms.number()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "PUT | | {\"templates\": {\"../../other\": \"x\"}} | `templates` has texts by the names of pages",
        "PUT | | {\"templates\": {\"error\": null}} | `templates` has texts",
        "PUT | | {\"logo\": \"%\"} | `logo` is not base64",
        "PUT | | {\"logo\": \"AAAA\"} | `logo` is no png",
        "POST | /preview?page=../layout | {} | `page` is one of login",
        "POST | /preview?page=login&sample=x | {} | `sample` is one of first, wrong",
        "POST | /preview?language=fr | {} | `language` is one of en, de",
        "GET | /texts?language=fr | | `language` is one of en, de"
      })
  void whatCannotBeReadIs400(String method, String query, String body, String why) throws IOException, InterruptedException {
    String path = REST + Optional.ofNullable(query).orElse("");
    HttpResponse<String> refused = send(method, path, ofRealm, method.equals("PUT") ? tag() : "", Optional.ofNullable(body).orElse(""));
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains(why.replace("\"", "\\\""));
  }

  @Test
  void pagesAndTextsAreListed() throws IOException, InterruptedException {
    JsonNode pages = JSON.readTree(send("GET", REST + "/pages", ofRealm, "", "").body()).get("pages");
    assertThat(pages.get(0).get("name").asString()).isEqualTo("login");
    assertThat(pages.get(0).get("template").asString()).contains("th:value=\"${csrf}\"");
    assertThat(send("GET", REST + "/texts?language=de", ofRealm, "", "").body()).contains("\"login.title\"").doesNotContain("\"console.");
    assertThat(send("GET", "/admin/v1/realms/other/theme", stored.admin.key, "", "").statusCode()).isEqualTo(404);
  }

  // --- the console ---

  private ConsoleBrowser as(String grant) throws IOException, InterruptedException {
    String key = stored.admin.key(grant + " " + System.nanoTime(), List.of(AdministratorGrant.parse(grant)), Optional.empty());
    return ConsoleBrowser.loggedIn(stored.admin.port(), key);
  }

  @Test
  void theFrameShowsTheFormAsItIsAndSavingUsesIt() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin@demo");
    HttpResponse<String> page = browser.get(PAGE + "?template=error");
    assertThat(page.body()).contains("<textarea class=\"source\" id=\"template-error\"", "sandbox", "th:text=&quot;#{error.reference}&quot;");
    assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow()).contains("frame-src http://127.0.0.1:");
    String[] fields = {
      "displayName", HOSTILE, "accent", "#c00040", "light-card", "#fffff0", "textsEn", "error.denied.title = Not you", "textsDe", "",
      "template-error", ThemePages.source("error").replace("<h1", "<p>Ask &amp; wait</p><h1"), "logoKept", base64(SVG), "page", "error/first",
      "language", "en", "reason", "why not", "ifMatch", tag()
    };
    HttpResponse<String> preview = browser.post(PAGE + "/try", fields);
    assertThat(preview.statusCode()).as(preview.body()).isEqualTo(200);
    assertThat(preview.body()).contains("Ask &amp; wait", "Not you", "--card:#fffff0", "&lt;script&gt;").doesNotContain("<script", "7006652");
    assertThat(preview.headers().firstValue("Content-Security-Policy").orElseThrow())
        .startsWith("sandbox; default-src 'none'").contains("form-action 'none'", "frame-ancestors 'self'").doesNotContain("script-src");
    assertThat(preview.headers().firstValue("X-Frame-Options")).contains("SAMEORIGIN");

    assertThat(browser.post(PAGE + "/use", fields).headers().firstValue("Location")).contains(PAGE + "?done=saved");
    assertThat(theme().templates().get("error")).contains("Ask &amp; wait");
    assertThat(browser.get(PAGE).body()).contains("error.denied.title = Not you", "data:image/svg+xml;base64,", "#fffff0").doesNotContain("<script>");
    assertThat(browser.get(PAGE + "/preview?page=error/first").body()).contains("Ask &amp; wait");
    HttpResponse<String> stale = browser.post(PAGE + "/use", fields);
    assertThat(stale.statusCode()).isEqualTo(412);
    assertThat(stale.body()).contains("Somebody has changed", "Ask &amp;amp; wait");
    send("PUT", REST, stored.admin.key, tag(), "{}");
  }

  @Test
  void mistakesStayInTheForm() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin@demo");
    browser.get(PAGE);
    HttpResponse<String> refused =
        browser.post(PAGE + "/use", "template-error", "<main><script>alert(1)</script></main>", "ifMatch", tag(), "logoKept", base64(SVG));
    assertThat(refused.statusCode()).isEqualTo(422);
    assertThat(refused.body()).contains("brand.templates.error", "&lt;script&gt;alert(1)&lt;/script&gt;", "name=\"logoKept\"").doesNotContain("<script>alert");
    HttpResponse<String> shown = browser.post(PAGE + "/try", "template-error", "<main></main><main></main>");
    assertThat(shown.statusCode()).isEqualTo(422);
    assertThat(shown.body()).contains("more than one &lt;main&gt;");
    assertThat(shown.headers().firstValue("X-Frame-Options")).contains("SAMEORIGIN");
    assertThat(browser.post(PAGE + "/try", "textsEn", "no text").body()).contains("key = text");
    assertThat(browser.post(PAGE + "/use", "textsEn", "=", "ifMatch", tag()).statusCode()).isEqualTo(400);
  }

  @Test
  void aLogoIsUploadedAndRemoved() throws IOException, InterruptedException {
    ConsoleBrowser browser = as("admin@demo");
    browser.get(PAGE);
    assertThat(upload(browser, "image/svg+xml", SVG).statusCode()).isEqualTo(303);
    assertThat(stored.realms.inUse().find("demo").orElseThrow().brand().logo().orElseThrow()).isEqualTo("data:image/svg+xml;base64," + base64(SVG));
    browser.get(PAGE);
    HttpResponse<String> hostile = upload(browser, "text/xml", SVG.replace("<path", "<script>alert(1)</script><path"));
    assertThat(hostile.statusCode()).isEqualTo(422);
    assertThat(hostile.body()).contains("brand.logo", "contains &lt;script&gt;");
    browser.get(PAGE);
    assertThat(browser.post(PAGE + "/use", "removeLogo", "true", "ifMatch", tag()).statusCode()).isEqualTo(303);
    assertThat(stored.realms.inUse().find("demo").orElseThrow().brand().logo()).isEmpty();
  }

  private HttpResponse<String> upload(ConsoleBrowser browser, String type, String image) throws IOException, InterruptedException {
    String body =
        part("csrf", "", browser.csrf) + part("ifMatch", "", tag())
            + part("logo\"; filename=\"logo.svg", "Content-Type: " + type + "\r\n", image) + "--b--\r\n";
    return browser.sendAs("multipart/form-data; boundary=b", PAGE + "/use", body);
  }

  private static String part(String name, String type, String content) {
    return "--b\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n" + type + "\r\n" + content + "\r\n";
  }

  @Test
  void othersLookOnly() throws IOException, InterruptedException {
    for (String grant : List.of("viewer@demo", "operator@demo")) {
      ConsoleBrowser browser = as(grant);
      assertThat(browser.get(PAGE).body()).contains("<fieldset disabled").doesNotContain("name=\"reason\"");
      assertThat(browser.get(PAGE + "/preview").statusCode()).isEqualTo(200);
      assertThat(browser.post(PAGE + "/try", "accent", "#c00040").statusCode()).isEqualTo(403);
      assertThat(browser.post(PAGE + "/use", "accent", "#c00040", "ifMatch", tag()).statusCode()).isEqualTo(403);
    }
    assertThat(as("admin@other").get(PAGE).statusCode()).isEqualTo(403);
    assertThat(as("admin@other").get(PAGE + "/preview").statusCode()).isEqualTo(403);
  }
}
