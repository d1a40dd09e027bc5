package dev.gatehouse.sp.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.sp.edge.SpRealm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 15 and 47. */
final class ReturnTargetTest {

  private static final Realm REALM =
      TestRealms.change(TestRealms.demo()).spUrls("https://app.example", "https://other.example:8443").realm();
  private static final SpRealm SP = SpRealm.of(REALM).orElseThrow();
  private static final Origin HOME = new Origin("https", "app.example", 443);

  private static String url(String text) {
    return ReturnTarget.parse(text, SP, HOME).url();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "evil.example", "//evil.example", "///evil.example", "/\\evil.example", "\\/evil.example",
        "\\\\evil.example",
        "/\t/evil.example", "/\r\nSet-Cookie: a=b", "/path\u0000", "/päth", "/a\\b", " /path", "/#fragment",
        "javascript:alert(1)", "data:text/html,x", "https:evil.example", "https:/app.example/", "HTTPS://app.example/",
        "https://evil.example/", "https://app.example", "https://app.example@evil.example/",
        "https://app.example:443@evil/",
        "https://app.example.evil.example/", "https://app.example:8443/", "http://app.example/",
        "https://user@app.example/", "https://app.example\\@evil.example/", "https://app.example//evil.example",
        "https://app.example/\\evil.example", "/.gatehouse/logout", "/.gatehouse/saml/slo?SAMLRequest=x",
        "/.gatehouse/login?return=/.gatehouse/login"
      })
  void anythingElseIsTheDefaultPage(String text) {
    assertThat(url(text)).isEqualTo("https://app.example/");
  }

  @ParameterizedTest
  @CsvSource({
    "/, https://app.example/",
    "/a/b?c=d&e=%2F%2Fevil, https://app.example/a/b?c=d&e=%2F%2Fevil",
    "/a?to=https://evil.example\\x, https://app.example/a?to=https://evil.example\\x",
    "/..//evil.example, https://app.example/..//evil.example",
    "/@evil.example, https://app.example/@evil.example",
    "https://app.example/x, https://app.example/x",
    "https://other.example:8443/x?y, https://other.example:8443/x?y",
    "/.gatehouse/replay?post=abc, https://app.example/.gatehouse/replay?post=abc"
  })
  void pathsAndTheRealmsOwnOriginsAreTargets(String text, String expected) {
    assertThat(url(text)).isEqualTo(expected);
  }

  @Test
  void aVeryLongPathIsTheDefaultPage() {
    assertThat(url("/" + "a".repeat(4096))).isEqualTo("https://app.example/");
  }
}
