package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.page.Page;
import dev.gatehouse.common.page.Pages;
import dev.gatehouse.common.page.TemplateCheck;
import dev.gatehouse.common.page.ThemePages;
import dev.gatehouse.common.page.ThymeleafPages;
import dev.gatehouse.common.realm.BrandConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.ThemeConfig;
import dev.gatehouse.common.realm.ThemeConfig.Colours;
import java.net.InetAddress;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates and texts of a realm for the pages of the identity provider. */
final class IdpThemeTest {

  private static final Pages PAGES = new ThymeleafPages();
  private static final String LOGIN = ThemePages.source("login");

  private static EdgeReply shown(String page, Map<String, Object> model, ThemeConfig theme, String language) {
    BrandConfig usual = TestRealms.brand("Example");
    BrandConfig brand =
        new BrandConfig(
            usual.displayName(), usual.accent(), usual.logo(), usual.description(), usual.privacyUrl(), usual.informationUrl(), theme);
    Realm realm = TestRealms.change(TestRealms.demo()).brand(brand).realm();
    EdgeRequest request =
        new EdgeRequest(
            "GET", Origin.of(URI.create("https://idp.example.org")), "/", "", Headers.of(List.of(new Headers.Field("Accept-Language", language))),
            new byte[0], InetAddress.getLoopbackAddress());
    return PAGES.render(request, Optional.of(realm), Page.of(200, page, model));
  }

  private static ThemeConfig templates(String page, String template) {
    TemplateCheck.Checked checked = TemplateCheck.check(page, template);
    assertThat(checked.problems()).isEmpty();
    return new ThemeConfig(Colours.NONE, Colours.NONE, Map.of(), Map.of(page, checked.template()));
  }

  private static Map<String, Object> first(String page) {
    return ThemePages.samples(page).values().iterator().next();
  }

  @Test
  void everySampleIsAPageAndOurOwnTemplateIsOneOfARealm() {
    assertThat(ThemePages.names()).contains("login", "second", "consent", "account", "password", "forgotten", "new-password", "slo-done", "error");
    for (String page : ThemePages.names()) {
      ThemeConfig same = templates(page, ThemePages.source(page));
      ThemePages.samples(page)
          .forEach(
              (name, model) -> {
                for (String language : List.of("en", "de")) {
                  String ours = shown(page, model, ThemeConfig.NONE, language).text();
                  assertThat(ours).as(page + " " + name).contains("<main").doesNotContain("null", "??", "{0}", ">${", "#{");
                  assertThat(visible(shown(page, model, same, language).text())).as(page + " " + name).isEqualTo(visible(ours));
                }
              });
    }
  }

  /** The parser of templates drops blanks between attributes and the like. */
  private static String visible(String html) {
    return html.replaceAll("\\s+", "").replace("=\"\"", "");
  }

  @Test
  void aTemplateArrangesOurPageAnew() {
    String template =
        LOGIN.replace("<h1 th:text=\"#{login.title}\">Sign in</h1>", "<h2 class=\"lead own__title\">Hello &lt;b&gt; <em th:text=\"${brand.displayName}\">x</em></h2>")
            .replace("<p class=\"lead\" th:if=\"${partner}\" th:text=\"#{login.lead(${partner})}\">to continue to App</p>", "");
    String html = shown("login", first("login"), templates("login", template), "en").text();
    assertThat(html)
        .contains("Hello &lt;b&gt; <em>Example</em>", "<form method=\"post\" action=\"/login\">", "name=\"csrf\" value=\"sample\"", "Cancel")
        .doesNotContain("to continue to");
    assertThat(shown("second", first("second"), templates("login", template), "en").text()).doesNotContain("Hello");
  }

  @Test
  void textsOfARealmAreTextsAndTakePlaceholders() {
    String hostile = "</title><script>alert(1)</script> ${1234*5678} [[${1234*5678}]] {0}";
    ThemeConfig theme =
        new ThemeConfig(Colours.NONE, Colours.NONE, Map.of("en", Map.of("login.lead", hostile, "login.title", hostile)), Map.of());
    String html = shown("login", first("login"), theme, "en").text();
    assertThat(html).contains("&lt;script&gt;alert(1)&lt;/script&gt; ${1234*5678} [[${1234*5678}]] Wiki").doesNotContain("<script", "7006652");
    assertThat(shown("login", first("login"), theme, "de").text()).doesNotContain("alert(1)");
  }

  @Test
  void hostileValuesStayTextInOwnTemplates() {
    Map<String, Object> model = new HashMap<>(first("login"));
    String hostile = "\"><script>alert(1)</script>[[${1234*5678}]]__${1234*5678}__";
    model.put("partner", hostile);
    model.put("name", hostile);
    assertThat(shown("login", model, templates("login", LOGIN), "en").text()).doesNotContain("<script", "7006652");
  }

  @Test
  void aTemplateThatFailsShowsOurs() {
    String broken = TemplateCheck.check("login", LOGIN).template().replace("${partner}", "${partner.a.b.c}");
    ThemeConfig theme = new ThemeConfig(Colours.NONE, Colours.NONE, Map.of(), Map.of("login", broken));
    assertThat(shown("login", first("login"), theme, "en").text()).contains("name=\"password\"", "to continue to Wiki");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<script>alert(1)</script>",
        "<style>a{}</style>",
        "<p onclick=\"alert(1)\">a</p>",
        "<p ONCLICK=\"alert(1)\">a</p>",
        "<p style=\"color:red\">a</p>",
        "<p th:text=\"${T(java.lang.Runtime).getRuntime().exec('id')}\">a</p>",
        "<p th:text=\"${@java.lang.Runtime@getRuntime()}\">a</p>",
        "<p th:text=\"${new java.lang.ProcessBuilder()}\">a</p>",
        "<p th:text=\"${brand.displayName.class}\">a</p>",
        "<p th:text=\"${#ctx}\">a</p>",
        "<p th:text=\"${password}\">a</p>",
        "<p th:text=\"__${partner}__\">a</p>",
        "<p th:text=\"#{console.login.submit}\">a</p>",
        "<p th:utext=\"${partner}\">a</p>",
        "<p data-th-text=\"${partner}\">a</p>",
        "<p TH:UTEXT=\"${partner}\">a</p>",
        "<p th:insert=\"~{account :: main}\">a</p>",
        "<p th:replace=\"file:///etc/passwd\">a</p>",
        "<p th:with=\"a=${partner}\">a</p>",
        "<p th:text=\"#{login.lead(${partner})}\">without its condition</p>",
        "<p>[[${partner}]]</p>",
        "<p>[(${partner})]</p>",
        "<p>[<!-- -->[${partner}]]</p>",
        "<p>&#91;[${1234*5678}]]</p>",
        "<a href=\"javascript:alert(1)\">a</a>",
        "<a href=\"java&#10;script:alert(1)\">a</a>",
        "<a href=\"//evil.example\">a</a>",
        "<a href=\"/\\evil.example\">a</a>",
        "<a href=\"data:text/html,x\">a</a>",
        "<img src=\"https://evil.example/x.png\" alt=\"\">",
        "<iframe src=\"/\"></iframe>",
        "<object></object>",
        "<svg><script>alert(1)</script></svg>",
        "<math></math>",
        "<base href=\"/\">",
        "<meta http-equiv=\"refresh\" content=\"0\">",
        "<link rel=\"stylesheet\" href=\"/x\">",
        "<form method=\"post\" action=\"https://evil.example\"></form>",
        "<form method=\"get\" th:action=\"${action}\"></form>",
        "<form method=\"post\" th:action=\"${action}\"><input name=\"password\" type=\"password\"></form>",
        "<input name=\"password\" type=\"text\">",
        "<button formaction=\"https://evil.example\">a</button>",
        "<fieldset disabled></fieldset>",
        "<p>never closed",
        "</p>",
        "<p id=\"a\" id=\"b\">twice</p>",
        "<main></main>",
        "<template><p>a</p></template>",
        "<noscript><p>a</p></noscript>",
        "<textarea name=\"x\"></textarea>",
        "<plaintext>"
      })
  void aTemplateRunsNothingReadsNothingAndAsksNothingMore(String hostile) {
    TemplateCheck.Checked checked = TemplateCheck.check("login", LOGIN.replace("</main>", hostile + "</main>"));
    assertThat(checked.problems()).isNotEmpty();
    assertThat(checked.template()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "<input type=\"hidden\" name=\"csrf\" th:value=\"${csrf}\"> | | it lacks <input type=\"hidden\" name=\"csrf\"",
        "name=\"username\" | name=\"user\" | it lacks <input type=\"text\" name=\"username\"",
        "type=\"password\" | type=\"text\" | it lacks <input type=\"password\" name=\"password\"",
        "method=\"post\" th:if=\"${password}\" | method=\"get\" th:if=\"${password}\" | it lacks <form method=\"post\"",
        "th:if=\"${cancel}\" | | under th:if=\"${cancel}\"",
        "role=\"alert\" | | it lacks an element with role=\"alert\"",
        "<main class=\"card\" id=\"main\"> | <main class=\"card\" id=\"main\" th:if=\"${wrong}\"> | it lacks <form",
        "type=\"password\" | type=\"password\" disabled | it lacks <input type=\"password\"",
        "<div class=\"actions\"><button type=\"submit\" th:text=\"#{login.submit}\"> | <div><button type=\"button\"> | it lacks <button type=\"submit\"",
        "<form method=\"post\" th:if=\"${password}\" | <form th:text=\"#{login.title}\" method=\"post\" th:if=\"${password}\" | th:text replaces",
        "</html> | </html><p>x</p> | only what stands within <main> is used"
      })
  void whatIsMissingIsSaid(String ours, String instead, String problem) {
    assertThat(LOGIN).contains(ours);
    String template = LOGIN.replace(ours, Optional.ofNullable(instead).orElse(""));
    assertThat(String.join("\n", TemplateCheck.check("login", template).problems())).contains(problem);
  }

  @Test
  void aDeepTemplateAndALongOneAreRefused() {
    String deep = "<b>".repeat(5000) + "</b>".repeat(5000);
    assertThat(TemplateCheck.check("login", LOGIN.replace("</main>", deep + "</main>")).problems()).asString().contains("deep within each other");
    assertThat(TemplateCheck.check("login", LOGIN + " ".repeat(TemplateCheck.LONGEST)).problems()).asString().contains("longer than 64 KB");
  }
}
