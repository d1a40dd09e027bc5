package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.saml.message.SamlMessage.AuthnRequest;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.login.RouteLogin;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A POST that is interrupted by a login: 409, a link, and, if the route allows it, the same POST after a confirming
 * click.
 */
final class KeptPostTest {

  private static final String REPLAY = SpWorld.HOME + SpPaths.REPLAY;

  private final SpWorld world = new SpWorld();
  private final TestBrowser browser = new TestBrowser(world);

  private EdgeReply loginThrough(EdgeReply conflict) {
    assertThat(conflict.status()).isEqualTo(409);
    AuthnRequest request = world.authnRequest(browser.open(SpWorld.HOME + link(conflict)));
    return browser.follow(browser.submitFromElsewhere(world.posted(world.response(request), Optional.empty())));
  }

  @Test
  void thePostIsRepeatedOnceAfterTheClick() {
    EdgeReply question =
        loginThrough(browser.post(SpWorld.HOME + "/orders?draft=1", Map.of("item", "tea & biscuits")));
    assertThat(question.status()).isEqualTo(200);
    assertThat(question.text()).contains("/orders?draft=1");
    EdgeRequest click =
        browser.request(
            "POST", REPLAY, "same-origin", Map.of("post", field(question, "post"), "csrf", field(question, "csrf")));

    EdgeRequest repeated = world.sp.takeReplay(world.realm(), click).orElseThrow();

    assertThat(repeated.method()).isEqualTo("POST");
    assertThat(repeated.path()).isEqualTo("/orders");
    assertThat(repeated.query()).isEqualTo("draft=1");
    assertThat(repeated.formParameters().one("item")).contains("tea & biscuits");
    assertThat(repeated.cookie("__Host-gh_app")).isEqualTo(browser.cookie(SpWorld.HOME, "__Host-gh_app"));
    assertThat(repeated.headers().all("Content-Type")).containsExactly("application/x-www-form-urlencoded");
    assertThat(world.sp.takeReplay(world.realm(), click)).as("once").isEmpty();
    assertThat(world.serve(click).status()).isEqualTo(403);
  }

  @Test
  void noLinkAndNoOtherBrowserRepeatsIt() {
    EdgeReply question = loginThrough(browser.post(SpWorld.HOME + "/orders", Map.of("item", "tea")));
    String key = field(question, "post");
    TestBrowser other = new TestBrowser(world, "198.51.100.66");
    other.open(SpWorld.HOME + "/");

    assertThat(other.open(REPLAY + "?post=" + key).status()).isEqualTo(403);
    EdgeRequest stolen =
        other.request("POST", REPLAY, "same-origin", Map.of("post", key, "csrf", field(question, "csrf")));
    assertThat(world.sp.takeReplay(world.realm(), stolen)).isEmpty();
    EdgeRequest forged = browser.request("POST", REPLAY, "same-origin", Map.of("post", key, "csrf", "x"));
    assertThat(world.sp.takeReplay(world.realm(), forged)).isEmpty();
    EdgeRequest malformed = browser.request("POST", REPLAY, "same-origin", Map.of());
    assertThat(world.sp.takeReplay(world.realm(), malformed)).isEmpty();
  }

  @Test
  void aPostOfAnotherSiteIsNotKept() {
    EdgeReply conflict = browser.postFromElsewhere(SpWorld.HOME + "/orders", Map.of("item", "tea"));

    assertThat(conflict.status()).isEqualTo(409);
    assertThat(link(conflict)).isEqualTo("/.gatehouse/login?return=/");
  }

  @Test
  void aLargePostIsNotKept() {
    EdgeReply conflict = browser.post(SpWorld.HOME + "/orders", Map.of("item", "x".repeat(64 * 1024)));

    assertThat(link(conflict)).isEqualTo("/.gatehouse/login?return=/");
  }

  @Test
  void whereTheRouteDoesNotAllowItNothingIsKeptAndThePostNeverBecomesAGet() {
    EdgeRequest post = browser.request("POST", SpWorld.HOME + "/orders", "same-origin", Map.of("item", "tea"));

    EdgeReply conflict = world.sp.challenge(world.realm(), post, RouteLogin.of("app"), false);

    assertThat(conflict.status()).isEqualTo(409);
    assertThat(conflict.headers().first("Location")).isEmpty();
    assertThat(link(conflict)).isEqualTo("/.gatehouse/login?return=/");
  }

  @Test
  void keptPostsAreBoundedPerAddressWhoseOldestGivesWay() {
    TestBrowser other = new TestBrowser(world, "198.51.100.66");
    String others = link(other.post(SpWorld.HOME + "/orders", Map.of("n", "x")));
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < 21; i++) {
      kept.add(link(browser.post(SpWorld.HOME + "/orders", Map.of("n", "x"))));
    }
    assertThat(browser.open(question(kept.getFirst())).status()).as("gave way").isEqualTo(403);
    assertThat(browser.open(question(kept.get(1))).status()).isEqualTo(200);
    assertThat(browser.open(question(kept.getLast())).status()).isEqualTo(200);
    assertThat(other.open(question(others)).status()).as("another address").isEqualTo(200);
  }

  /** The page to which the login would return. */
  private static String question(String login) {
    return SpWorld.HOME + login.substring(login.indexOf("return=") + "return=".length());
  }

  private static String link(EdgeReply conflict) {
    Matcher matcher = Pattern.compile("href=\"(/.gatehouse/login[^\"]+)\"").matcher(conflict.text());
    assertThat(matcher.find()).isTrue();
    return URLDecoder.decode(matcher.group(1), StandardCharsets.UTF_8);
  }

  private static String field(EdgeReply page, String name) {
    Matcher matcher = Pattern.compile("name=\"" + name + "\" value=\"([^\"]+)\"").matcher(page.text());
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }
}
