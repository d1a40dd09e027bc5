package dev.gatehouse.common.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.BrandConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.ThemeConfig.Colours;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.message.SamlWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ThymeleafPagesTest {

  private static final Pages PAGES = new ThymeleafPages();
  private static final Optional<Realm> REALM = Optional.of(TestRealms.demo());

  private record Row(String name, Instant since, State state) {}

  private enum State {
    DONE,
    OPEN,
    FAILED
  }

  @Test
  void errorPageSaysWhatHappenedInThePersonsLanguage() {
    EdgeReply english = PAGES.error(navigation("en-GB,en;q=0.9"), REALM, 503, "directory-unavailable", "abc23");
    assertThat(english.status()).isEqualTo(503);
    assertThat(english.text())
        .contains("<html lang=\"en\"", "Signing in does not work at the moment", "abc23", "Gatehouse demo");

    EdgeReply german = PAGES.error(navigation("de-AT, en;q=0.5"), REALM, 503, "directory-unavailable", "abc23");
    assertThat(german.text()).contains("<html lang=\"de\"", "Die Anmeldung ist zurzeit nicht möglich", "Kennung");
    assertThat(german.headers().first("Content-Language")).contains("de");
  }

  @Test
  void aPreparedPageIsWhatItsTemplateMakesOfTheSameTexts() {
    Page page = Page.of(200, "redirect", Map.of());
    for (String location : List.of("https://app.example/cb?a=1&b=%22", "\"><script>x</script>'", "https://ä.example/")) {
      Map<String, String> texts = Map.of("location", location);
      EdgeReply filled = PAGES.render(navigation("en"), REALM, page, texts);
      EdgeReply rendered = PAGES.render(navigation("en"), REALM, page.with(texts));

      assertThat(withoutStyle(filled)).isEqualTo(withoutStyle(rendered)).doesNotContain("<script>x");
      assertThat(filled.headers().toString()).isEqualTo(rendered.headers().toString());
      assertThat(filled.text().length()).isLessThan(rendered.text().length());
    }
  }

  /** Prepared pages contain only the rules that they need. */
  private static String withoutStyle(EdgeReply page) {
    return page.text().replaceAll("(?s)<style>.*</style>", "");
  }

  @Test
  void preparedPagesKnowLanguageAndBrand() {
    Page page = Page.of(200, "redirect", Map.of());
    Map<String, String> texts = Map.of("location", "https://app.example/");

    assertThat(PAGES.render(navigation("de"), REALM, page, texts).text()).contains("<html lang=\"de\"");
    assertThat(PAGES.render(navigation("en"), REALM, page, texts).text()).contains("<html lang=\"en\"", "Gatehouse demo");
    assertThat(PAGES.render(navigation("en"), Optional.empty(), page, texts).text()).doesNotContain("Gatehouse demo");
  }

  @Test
  void errorIsJsonForRequestsThatAreNoNavigations() {
    EdgeRequest fetch = request(Headers.of("Sec-Fetch-Mode", "cors").and("Accept", "text/html"));
    EdgeReply reply = PAGES.error(fetch, REALM, 401, "login-required", "abc23");
    assertThat(reply.text()).isEqualTo("{\"error\":\"login-required\",\"reference\":\"abc23\"}");
    assertThat(reply.headers().first("Content-Type")).contains("application/json");
    assertThat(reply.headers().first("Cache-Control")).contains("no-store");
  }

  @Test
  void anUnknownKindStillGivesAPage() {
    EdgeReply reply = PAGES.error(navigation("en"), Optional.empty(), 500, "no-such-kind", "abc23");
    assertThat(reply.text()).contains("Something went wrong on our side", "abc23").doesNotContain("no-such-kind");
  }

  @Test
  void modelValuesStayText() {
    String hostile = "</title><script>alert(1)</script><style></style>${1234*5678} [[${1234*5678}]] __${1234*5678}__ #{error.denied.title}";
    EdgeReply reply = PAGES.render(navigation("en"), REALM, kitchenSink(hostile));
    assertThat(reply.text())
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;&lt;style&gt;", "${1234*5678} [[${1234*5678}]] __${1234*5678}__ #{error.denied.title}")
        .doesNotContain("<script", "7006652");
  }

  @Test
  void brandNameStaysText() {
    Realm realm =
        TestRealms.change(TestRealms.demo())
            .brand(new BrandConfig("<b onclick=x>\"A & B\"", "#1f5fa8", Optional.of("data:image/png;base64,AA\"=="), Optional.empty(),
                Optional.empty(), Optional.empty()))
            .realm();
    String html = PAGES.error(navigation("en"), Optional.of(realm), 404, "not-found", "abc23").text();
    assertThat(html)
        .contains("&lt;b onclick=x&gt;&quot;A &amp; B&quot;", "src=\"data:image/png;base64,AA&quot;==\"")
        .doesNotContain("<b ");
  }

  @Test
  void styleMatchesItsHashWhateverTheAccent() throws Exception {
    for (String accent : List.of("#000000", "#ffffff", "#ffdd00", "#1a237e", "#ABCDEF")) {
      Realm realm =
          TestRealms.change(TestRealms.demo()).brand(new BrandConfig(
                  "A", accent, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty())).realm();
      EdgeReply reply = PAGES.error(navigation("en"), Optional.of(realm), 404, "not-found", "abc23");
      Matcher style = Pattern.compile("<style>(.*?)</style>", Pattern.DOTALL).matcher(reply.text());
      assertThat(style.find()).isTrue();
      assertThat(policy(reply)).contains("style-src " + hash(style.group(1)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"red", "#fff", "#12345g", "#1234567", "#12345٣", "#}*{x:y"})
  void anAccentThatIsNoColourNeverReachesTheStyleSheet(String accent) {
    assertThatThrownBy(() -> Style.of(new Style.Look(accent, Colours.NONE, Colours.NONE))).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void headersOfAnOrdinaryPage() {
    EdgeReply reply = PAGES.error(navigation("en"), REALM, 404, "not-found", "abc23");
    assertThat(policy(reply))
        .startsWith("default-src 'none'; base-uri 'none'; img-src 'self' data:; style-src 'sha256-")
        .endsWith("; frame-ancestors 'none'; form-action 'self'");
    assertThat(reply.headers().first("X-Frame-Options")).contains("DENY");
    assertThat(reply.headers().first("X-Content-Type-Options")).contains("nosniff");
    assertThat(reply.headers().first("Referrer-Policy")).contains("same-origin");
    assertThat(reply.headers().first("Cache-Control")).contains("no-store");
    assertThat(reply.headers().first("Refresh")).isEmpty();
  }

  @Test
  void framesAndFramingAreNamedOrigins() {
    Page.Policy policy =
        new Page.Policy(
            List.of("https://b.example/slo?x=1; script-src *", "https://b.example:444"), List.of("https://c.example"), false, 5);
    Page bad = new Page(200, "error", Map.of("kind", "denied", "reference", "x"), policy);
    assertThatThrownBy(() -> PAGES.render(navigation("en"), REALM, bad)).isInstanceOf(IllegalArgumentException.class);

    Page.Policy good =
        new Page.Policy(List.of("https://b.example/slo?x=1", "https://b.example:444"), List.of("https://c.example"), false, 5);
    EdgeReply reply =
        PAGES.render(navigation("en"), REALM, new Page(200, "error", Map.of("kind", "denied", "reference", "x"), good));
    assertThat(policy(reply))
        .contains("frame-src https://b.example https://b.example:444;", "frame-ancestors https://c.example;");
    assertThat(reply.headers().first("X-Frame-Options")).isEmpty();
    assertThat(reply.headers().first("Refresh")).contains("5");
  }

  @Test
  void autoSubmitCarriesTheFormAndOnlyOurScript() throws Exception {
    SamlWriter.PostForm form =
        new SamlWriter.PostForm("https://sp.example/acs?a=1&b=2", "SAMLResponse", "PHg+", Optional.of("\"><script>x"));
    EdgeReply reply = PAGES.autoSubmit(navigation("en"), REALM, form);
    assertThat(reply.text())
        .contains(
            "action=\"https://sp.example/acs?a=1&amp;b=2\"",
            "name=\"SAMLResponse\" value=\"PHg+\"",
            "name=\"RelayState\" value=\"&quot;&gt;&lt;script&gt;x\"",
            "<button type=\"submit\">Continue</button>",
            "<script>" + ThymeleafPages.SUBMIT_SCRIPT + "</script>");
    assertThat(policy(reply)).contains("script-src " + hash(ThymeleafPages.SUBMIT_SCRIPT)).doesNotContain("form-action");
    assertThat(reply.headers().first("Referrer-Policy")).contains("strict-origin");
  }

  @Test
  void autoSubmitGivesEachFormItsOwnValues() {
    SamlWriter.PostForm first =
        new SamlWriter.PostForm("https://a.example/acs", "SAMLResponse", "Zmlyc3Q=", Optional.of("one"));
    SamlWriter.PostForm second =
        new SamlWriter.PostForm(
            "https://b.example/acs", "SAMLResponse", "gatehouse-place-of-value", Optional.of("gatehouse-place-of-action"));
    String before = PAGES.autoSubmit(navigation("de"), REALM, first).text();
    String after = PAGES.autoSubmit(navigation("de"), REALM, second).text();
    assertThat(after)
        .isEqualTo(
            before
                .replace("https://a.example/acs", "https://b.example/acs")
                .replace("\"Zmlyc3Q=\"", "\"gatehouse-place-of-value\"")
                .replace("\"one\"", "\"gatehouse-place-of-action\""));
    assertThat(PAGES.autoSubmit(navigation("de"), REALM, first).text()).isEqualTo(before);
    assertThat(PAGES.autoSubmit(navigation("en"), REALM, first).text()).isNotEqualTo(before);
  }

  @Test
  void autoSubmitIsWhatTheTemplateMakes() {
    SamlWriter.PostForm form =
        new SamlWriter.PostForm("https://a.example/acs?x=1&y='2'", "SAMLRequest", "PHg+", Optional.of("ä<\">&\u2028"));
    EdgeReply rendered =
        PAGES.render(
            navigation("de"),
            REALM,
            new Page(200, "submit", Map.of("form", form), new Page.Policy(List.of(), List.of(), true, 0)));
    EdgeReply filled = PAGES.autoSubmit(navigation("de"), REALM, form);
    assertThat(filled.text()).isEqualTo(rendered.text());
    assertThat(filled.headers().fields()).isEqualTo(rendered.headers().fields());
  }

  /** Each character that is not escaped, and each that is, alone. */
  @ParameterizedTest
  @ValueSource(strings = {"&", "<", ">", "\"", "'", ""})
  void autoSubmitEscapesAsTheTemplateDoes(String escaped) {
    StringBuilder others = new StringBuilder();
    for (char c = ' '; c < 0x3000; c++) {
      others.append("&<>\"'".indexOf(c) < 0 ? Character.toString(c) : "");
    }
    SamlWriter.PostForm form =
        new SamlWriter.PostForm("https://a.example/acs", "SAMLRequest", "PHg+", Optional.of(others + escaped));
    Page page = new Page(200, "submit", Map.of("form", form), new Page.Policy(List.of(), List.of(), true, 0));
    assertThat(PAGES.autoSubmit(navigation("de"), REALM, form).text()).isEqualTo(PAGES.render(navigation("de"), REALM, page).text());
  }

  @Test
  void autoSubmitLeavesRelayStateOutWhereThereIsNone() {
    SamlWriter.PostForm form = new SamlWriter.PostForm("https://sp.example/acs", "SAMLRequest", "PHg+", Optional.empty());
    assertThat(PAGES.autoSubmit(navigation("en"), REALM, form).text()).doesNotContain("RelayState");
  }

  @ParameterizedTest
  @ValueSource(strings = {"javascript:alert(1)", "data:text/html,x", "/relative", "ftp://a.example/"})
  void autoSubmitGoesToWebAddressesOnly(String action) {
    SamlWriter.PostForm form = new SamlWriter.PostForm(action, "SAMLResponse", "PHg+", Optional.empty());
    assertThatThrownBy(() -> PAGES.autoSubmit(navigation("en"), REALM, form))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void recordsInstantsEnumsAndOptionalsCanBeShown() throws IOException {
    String html = PAGES.render(navigation("de"), REALM, kitchenSink("Hallo")).text();
    assertThat(html)
        .contains("datetime=\"2026-11-21T02:17:00Z\"", "21.11.2026, 02:17 UTC", "badge good", "badge wait", "badge bad");
    Path out = Path.of("target/pages");
    Files.createDirectories(out);
    Files.writeString(out.resolve("kitchen-sink.html"), html);
    Files.writeString(
        out.resolve("error.html"), PAGES.error(navigation("en"), REALM, 503, "directory-unavailable", "k7m2wq9xtz").text());
    Files.writeString(
        out.resolve("submit.html"),
        PAGES
            .autoSubmit(
                navigation("de"),
                REALM,
                new SamlWriter.PostForm("https://sp.example/acs", "SAMLResponse", "PHg+", Optional.empty()))
            .text()
            .replace("<script>", "<!--")
            .replace("</script>", "-->"));
  }

  private static Page kitchenSink(String lead) {
    Instant since = Instant.parse("2026-11-21T02:17:00.5Z");
    return Page.of(
        200,
        "kitchen-sink",
        Map.of(
            "lead",
            Optional.of(lead),
            "rows",
            List.of(
                new Row("Travel expenses", since, State.DONE),
                new Row("https://a-very-long-host-name.department.example.org:8443/saml/metadata", since, State.OPEN),
                new Row("Wiki", since, State.FAILED))));
  }

  private static String policy(EdgeReply reply) {
    return reply.headers().first("Content-Security-Policy").orElseThrow();
  }

  private static String hash(String text) throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
  }

  private static EdgeRequest navigation(String language) {
    return request(Headers.of("Sec-Fetch-Mode", "navigate").and("Accept-Language", language));
  }

  private static EdgeRequest request(Headers headers) {
    Origin origin = new Origin("http", "idp.localhost", 8080);
    return new EdgeRequest("GET", origin, "/", "", headers, new byte[0], InetAddress.getLoopbackAddress());
  }
}
