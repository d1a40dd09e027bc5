package dev.gatehouse.sp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sign-on that begins at the identity provider (SAML Profiles 4.1.5). */
final class UnsolicitedTest {

  private final SpWorld world = new SpWorld(change -> change.spUnsolicited(true));
  private final TestBrowser browser = new TestBrowser(world);

  private EdgeRequest response(String user, Optional<String> relayState) {
    return world.posted(world.response(Optional.empty(), user), relayState);
  }

  private EdgeReply arrive(String user, Optional<String> relayState) {
    return browser.follow(browser.submitFromElsewhere(response(user, relayState)));
  }

  @Test
  void leadsToThePathInRelayState() {
    EdgeReply landed = arrive("alice", Optional.of("/reports?year=2026"));

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/reports?year=2026");
    assertThat(world.session(browser, SpWorld.HOME)).map(session -> session.account().user()).contains("alice");
  }

  @Test
  void leadsToAnAbsoluteUrlOfARealmsOwnOrigin() {
    EdgeReply landed = arrive("alice", Optional.of(SpWorld.HOME + "/reports?year=2026"));

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/reports?year=2026");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://app.example.evil.example/",
        "https://app.example",
        "https://app.example/.gatehouse/logout",
        "https://app.example//evil.example/",
        "http://app.example/",
        "HTTPS://evil.example/",
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\\\evil.example",
        "javascript:alert(1)",
        "/path\r\nSet-Cookie: a=b",
        "/ü",
        "",
        "https://app.example@evil.example/",
        "/.gatehouse/logout"
      })
  void case15AndCase47OtherRelayStatesLeadToTheDefaultPage(String relayState) {
    EdgeReply landed = arrive("alice", Optional.of(relayState));

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/");
    assertThat(world.session(browser, SpWorld.HOME)).isPresent();
  }

  @Test
  void case16TheSavedLoginOpensInTheBrowserThatBroughtItOnly() {
    TestBrowser attacker = new TestBrowser(world, "198.51.100.66");
    EdgeReply saved = attacker.submitFromElsewhere(response("mallory", Optional.empty()));
    TestBrowser victim = browser;

    EdgeReply reply = victim.get(SpWorld.location(saved).toString(), "cross-site");

    assertThat(reply.status()).isEqualTo(403);
    assertThat(world.refusals()).containsExactly(Reason.OTHER_BROWSER.name());
    assertThat(victim.cookie(SpWorld.HOME, "__Host-gh_app")).isEmpty();
  }

  @Test
  void case16NobodyIsSwitchedToAnotherPersonSilently() {
    arrive("alice", Optional.empty());

    EdgeReply question = arrive("mallory", Optional.empty());

    assertThat(question.status()).isEqualTo(200);
    assertThat(question.text()).contains("alice").contains("mallory");
    assertThat(world.session(browser, SpWorld.HOME)).map(session -> session.account().user()).contains("alice");
    assertThat(world.opened()).isEqualTo(1);
  }

  @Test
  void case16NorWhenTheCookiesCome() {
    arrive("alice", Optional.empty());

    EdgeReply question = browser.follow(browser.submitWithCookies(response("mallory", Optional.empty())));

    assertThat(question.text()).contains("mallory");
    assertThat(world.session(browser, SpWorld.HOME)).map(session -> session.account().user()).contains("alice");
  }

  @Test
  void thePersonMaySwitchAfterTheQuestion() {
    arrive("alice", Optional.empty());
    EdgeReply question = arrive("bob", Optional.of("/reports"));

    EdgeReply landed =
        browser.post(
            SamlFixtures.SP_ACS,
            Map.of("resume", field(question, "resume"), "csrf", field(question, "csrf")));

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/reports");
    assertThat(world.session(browser, SpWorld.HOME)).map(session -> session.account().user()).contains("bob");
  }

  @Test
  void theAnswerToTheQuestionNeedsItsToken() {
    arrive("alice", Optional.empty());
    EdgeReply question = arrive("mallory", Optional.empty());

    EdgeReply forged =
        browser.post(SamlFixtures.SP_ACS, Map.of("resume", field(question, "resume"), "csrf", "forged"));

    assertThat(forged.status()).isEqualTo(403);
    assertThat(world.session(browser, SpWorld.HOME)).map(session -> session.account().user()).contains("alice");
  }

  @Test
  void thePersonWhoIsThereAlreadyGetsANewSession() {
    arrive("alice", Optional.empty());
    Optional<String> before = browser.cookie(SpWorld.HOME, "__Host-gh_app");

    EdgeReply landed = browser.submitWithCookies(response("alice", Optional.of("/again")));

    assertThat(SpWorld.location(landed)).hasToString(SpWorld.HOME + "/again");
    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_app")).isPresent().isNotEqualTo(before);
  }

  @Test
  void pendingLoginsOfOtherTabsSurviveIt() {
    browser.open(SpWorld.HOME + "/tab");
    Optional<String> before = browser.cookie(SpWorld.HOME, "__Host-gh_pre.demo");

    arrive("alice", Optional.empty());

    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_pre.demo")).isEqualTo(before);
    assertThat(browser.cookie(SpWorld.HOME, "__Host-gh_park.demo")).as("has served").isEmpty();
  }

  private static String field(EdgeReply page, String name) {
    Matcher matcher = Pattern.compile("name=\"" + name + "\" value=\"([^\"]+)\"").matcher(page.text());
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }
}
