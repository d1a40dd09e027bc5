package dev.gatehouse.gateway.fill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.FormFillConfig;
import dev.gatehouse.common.realm.FormFillConfig.Failure;
import dev.gatehouse.common.realm.FormFillConfig.FormRule;
import dev.gatehouse.common.realm.FormFillConfig.Source;
import dev.gatehouse.gateway.fill.FormFinder.Found;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which forms are filled, what of them is sent and where to. */
class FormFinderTest {

  static final PageAddress PAGE =
      new PageAddress(new Origin("https", "app.example", 443), "/login", List.of("http://10.0.0.1:8080/base"));

  static final FormFillConfig CONFIG = config(Optional.empty());

  private static FormFillConfig config(Optional<String> action) {
    Map<String, Source> fields = new LinkedHashMap<>();
    fields.put("user", new Source.User());
    fields.put("pass", new Source.Password());
    return new FormFillConfig(
        "app", new FormRule("/login", Set.of(200), Optional.empty(), Optional.empty(), action, List.of()), fields,
        Optional.empty(), Failure.NONE, Optional.empty(), 20);
  }

  private static Found find(String html) {
    return new FormFinder(CONFIG).find(html.getBytes(StandardCharsets.UTF_8), Optional.of(StandardCharsets.UTF_8), PAGE);
  }

  static String sent(Found found, String password) {
    if (!(found instanceof Found.Form(LoginForm form))) {
      throw new AssertionError(found.toString());
    }
    LoginForm.Body body =
        form.filled(source -> Optional.of(source instanceof Source.Password ? password : "alice")).orElseThrow();
    return new String(body.bytes(), StandardCharsets.US_ASCII);
  }

  @Test
  void whatABrowserWouldSendIsSent() {
    Found found =
        find(
            """
            <form method=POST action=login?next=1><input type=hidden name=csrf value='a&amp;b'>
            <input name=user value=old><input type=password name=pass><input type=checkbox name=stay checked>
            <input type=checkbox name=news value=yes><input type=radio name=r value=1><input type=radio name=r value=2 checked>
            <select name=lang><option value=en>English<option value=de selected>Deutsch</select><textarea name=t>x
            y</textarea><input name=off value=1 disabled><input type=submit name=go value=Go><button name=go value=No>No</button>
            <input type=button name=b value=b><input value=nameless></form>
            """);
    assertThat(sent(found, "ä ö+&=%"))
        .isEqualTo(
            "csrf=a%26b&user=alice&pass=%C3%A4+%C3%B6%2B%26%3D%25&stay=on&r=2&lang=de&t=x%0D%0Ay&go=Go");
    assertThat(((Found.Form) found).form().target()).isEqualTo("/login?next=1");
  }

  @Test
  void thePagesCharsetCounts() {
    String html = "<meta charset=iso-8859-1><form method=post><input name=user><input type=password name=pass></form>";
    Found found = new FormFinder(CONFIG).find(html.getBytes(StandardCharsets.ISO_8859_1), Optional.empty(), PAGE);
    assertThat(sent(found, "ä€")).isEqualTo("user=alice&pass=%E4%26%238364%3B");
  }

  @ParameterizedTest
  @CsvSource({
    "<form method=post action=https://evil.example/login>, ACTION_ELSEWHERE",
    "<form method=post action=//evil.example/login>, ACTION_ELSEWHERE",
    "<form method=post action=https://app.example.evil.example/login>, ACTION_ELSEWHERE",
    "<form method=post action=https://app.example@evil.example/login>, ACTION_ELSEWHERE",
    "<form method=post action=http://app.example/login>, ACTION_ELSEWHERE",
    "<form method=post action='https:\\\\evil.example/login'>, ACTION_UNEXPECTED",
    "<form method=post action='javascript:alert(1)'>, ACTION_ELSEWHERE",
    "<base href=https://evil.example/><form method=post action=login>, ACTION_ELSEWHERE",
    "<form method=post action=/comments>, ACTION_UNEXPECTED",
    "<form method=post action=/login/../comments>, ACTION_UNEXPECTED",
    "<form method=get>, METHOD_GET",
    "<form>, METHOD_GET",
    "<form method=post enctype=text/plain>, ENCODING",
    "<form method=post enctype=multipart/form-data>, ENCODING",
    "<form method=post><input name=user>, FIELD_TWICE",
    "<form method=post><input name=pass type=hidden>, FIELD_TWICE"
  })
  void nothingIsFilledThatIsNotAsItShouldBe(String begin, FormFillReason reason) {
    Found found = find(begin + "<input name=user><input type=password name=pass></form>");
    assertThat(found).isEqualTo(new Found.Refused(reason));
  }

  @Test
  void aPasswordGoesIntoAPasswordsControlOnly() {
    assertThat(find("<form method=post><input name=user><input name=pass></form>"))
        .isEqualTo(new Found.Refused(FormFillReason.NO_PASSWORD_CONTROL));
  }

  /** A nested form is none (HTML 13.2.6.4.7): the outer one's action counts, and it is looked at as any other. */
  @Test
  void aNestedFormDoesNotChangeWhereItIsSent() {
    Found found =
        find(
            "<form method=post action=/login><form method=post action=https://evil.example/><input name=user>"
                + "<input type=password name=pass></form></form>");
    assertThat(((Found.Form) found).form().target()).isEqualTo("/login");
    assertThat(
            find(
                "<form method=post action=https://evil.example/><form method=post action=/login><input name=user>"
                    + "<input type=password name=pass></form></form>"))
        .isEqualTo(new Found.Refused(FormFillReason.ACTION_ELSEWHERE));
  }

  /** Controls may stand anywhere and name their form, and a button may name another address: the form's own counts. */
  @Test
  void aButtonsOwnAddressIsNotUsed() {
    Found found =
        find(
            "<form method=post id=f><input name=user><input type=password name=pass>"
                + "<button formaction=https://evil.example/ name=go value=1>Go</button></form>");
    assertThat(((Found.Form) found).form().target()).isEqualTo("/login");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "<p>Hello</p>", "<form method=post><input name=user></form>",
        "<!-- <form method=post><input name=user><input name=pass type=password></form> -->",
        "<script>'<form method=post><input name=user><input name=pass type=password></form>'</script>",
        "<template><form method=post></form></template>", "<textarea><form method=post><input name=user><input name=pass></form></textarea>"
      })
  void otherPagesHaveNone(String html) {
    assertThat(find(html)).isInstanceOf(Found.None.class);
  }

  @Test
  void anAppThatWritesItsOwnAddressIsUnderstood() {
    Found found =
        find(
            "<form method=post action=http://10.0.0.1:8080/base/login><input name=user><input type=password name=pass></form>");
    assertThat(((Found.Form) found).form().target()).isEqualTo("/login");
  }

  /** Whatever a page is: no exception, and a form goes only to where it is configured to go. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void noPageSendsAFormElsewhere(long seed) {
    Random random = new Random(seed);
    String[] parts = {
      "<form ", "method=post ", "action=", "https://evil.example/", "//evil.example", "/login", "login", ">", "</form>",
      "<input name=user>", "<input type=password name=pass>", "<base href=", "'", "\"", "\\", "&#x2f;", "\0", "\r\n\t", "<",
      "<script>", "</script>", "<svg>", "<math>", "<table>", "<select>", "<template>", "<!--", "-->", "<input name=pass ",
      "form=f ", "id=f ", "?", "#", "@", "..", "%2e", "<plaintext>", "<iframe>"
    };
    for (int i = 0; i < 5000; i++) {
      StringBuilder html = new StringBuilder();
      for (int n = random.nextInt(30); n >= 0; n--) {
        html.append(parts[random.nextInt(parts.length)]);
      }
      if (find(html.toString()) instanceof Found.Form(LoginForm form)) {
        assertThat(form.target()).as("seed %d: %s", seed, html).matches("/login(\\?.*)?");
      }
    }
  }

  @Test
  void wildcardsMatchInReasonableTime() {
    assertThat(Wildcard.matches("/login*", "/login?x")).isTrue();
    assertThat(Wildcard.matches("*/login", "/a/login")).isTrue();
    assertThat(Wildcard.matches("/login", "/login/")).isFalse();
    assertThat(Wildcard.matches("*a".repeat(200) + "b", "a".repeat(20_000))).isFalse();
  }

  @Test
  void cookiesGoAsABrowserWouldSendThem() {
    AppCookies cookies = new AppCookies(List.of("a=1; b=2", "c=3"));
    cookies.set(List.of("b=new; Path=/", "d=4; Path=/other", "a=; Max-Age=0", "e=5; path=/login"));
    assertThat(cookies.fieldFor("/login")).isEqualTo("b=new; c=3; e=5");
    assertThat(cookies.stillToSet(List.of("b=later; Path=/")))
        .containsExactly("d=4; Path=/other", "a=; Max-Age=0", "e=5; path=/login");
    assertThat(HtmlType.of("text/html; charset=\"utf-8\"").orElseThrow().charset()).contains(StandardCharsets.UTF_8);
    assertThat(HtmlType.of("text/html; charset=none-such").orElseThrow().charset()).isEqualTo(Optional.<Charset>empty());
    assertThat(HtmlType.of("application/json")).isEmpty();
  }
}
