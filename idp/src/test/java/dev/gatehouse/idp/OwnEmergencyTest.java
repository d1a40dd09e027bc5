package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.admin.TokenDesk;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.realm.TokenLogin.ChosenBy;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeChecks;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.TokenSeeds;
import dev.gatehouse.idp.totp.TotpSecret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What people do themselves about the loss of a token: codes on paper, and another token. */
final class OwnEmergencyTest {

  private static final String TOKENS = "/realms/demo/account/tokens";
  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OTHER = "abcdefghijklmnopqrst".getBytes(StandardCharsets.US_ASCII);
  private static final PersonId ALICE = FakeDirectory.ALICE.id();

  private Idp idp = new Idp(realm(ChosenBy.PERSON));
  private TestBrowser browser = idp.browser();

  private static Realm realm(ChosenBy chosenBy) {
    TokenLogin usual = TokenLogin.USUAL;
    TokenLogin.Pin pin = new TokenLogin.Pin(4, 8, false, 3, chosenBy);
    TokenLogin rules = new TokenLogin(pin, usual.nextCodeAfter(), usual.lockAfter(), usual.lockFor());
    ContractsConfig contracts =
        new ContractsConfig(
            false, SecondFactor.OPTIONAL, ContractsConfig.FORM_ALONE.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.of(rules));
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  private String code(byte[] seed, int steps) {
    return Authenticator.of(seed).code(idp.time.instant().plusSeconds(30L * steps));
  }

  private void logInByToken() {
    idp.context.getBean(TokenSeeds.class).ensure("demo", "t-1", SEED, ALICE, "2468");
    EdgeReply form = browser.get("/realms/demo/login/token");
    EdgeReply in =
        browser.post(
            "/realms/demo/login/token",
            Map.of("csrf", TestBrowser.field(form.text(), "csrf"), "username", "alice", "passcode", "2468" + code(SEED, 0)));
    assertThat(in.status()).isEqualTo(303);
  }

  private EdgeReply act(Map<String, String> fields) {
    Map<String, String> all = new HashMap<>(fields);
    String page = browser.get(TOKENS).text();
    all.put("csrf", TestBrowser.field(page, "csrf"));
    if (page.contains("name=\"once\"")) {
      all.put("once", TestBrowser.field(page, "once"));
    }
    return browser.post(TOKENS, all);
  }

  private PasscodeResult login(String passcode) {
    PasscodeAttempt attempt = new PasscodeAttempt("alice", passcode, "vpn", "");
    return idp.context.getBean(PasscodeChecks.class).of(idp.realms.find("demo").orElseThrow()).orElseThrow().check(attempt);
  }

  private static List<String> shown(EdgeReply page) {
    Matcher codes = Pattern.compile("<li><code>([a-z0-9]+)</code></li>").matcher(page.text());
    return codes.results().map(found -> found.group(1)).toList();
  }

  private static String to(EdgeReply reply) {
    return reply.headers().first("Location").orElse("");
  }

  @Test
  void emergencyCodesAreMadeAfterARecentStrongLoginAndCountOnceEach() {
    logInByToken();
    EdgeReply page = act(Map.of("action", "emergency"));
    assertThat(page.headers().first("Cache-Control").orElse("")).contains("no-store");
    List<String> codes = shown(page);
    assertThat(codes).hasSize(10).doesNotHaveDuplicates();
    assertThat(page.text()).as("the end, for the sheet").contains("<time datetime=\"" + idp.time.instant().plus(Duration.ofDays(30)));
    assertThat(idp.audit.events().toString()).doesNotContain(codes.getFirst());
    assertThat(idp.audit.events(AuditEvent.TokenChanged.class)).extracting(AuditEvent.TokenChanged::change).contains("emergency-codes");
    Idp.TOKENS.change("demo", "t-1", Token.State.LOST);
    assertThat(login("2468" + codes.getFirst())).isInstanceOf(Accepted.class);
    assertThat(login("2468" + codes.getFirst())).as("again").isNotInstanceOf(Accepted.class);
    assertThat(login(codes.get(1))).as("without the PIN").isNotInstanceOf(Accepted.class);
    idp.time.advance(Duration.ofDays(31));
    assertThat(login("2468" + codes.get(2))).as("after thirty days").isNotInstanceOf(Accepted.class);
  }

  @Test
  void aPageThatIsLoadedAgainMakesNoOtherSheet() {
    logInByToken();
    String page = browser.get(TOKENS).text();
    Map<String, String> form =
        Map.of("csrf", TestBrowser.field(page, "csrf"), "once", TestBrowser.field(page, "once"), "action", "emergency");
    List<String> codes = shown(browser.post(TOKENS, form));
    assertThat(codes).hasSize(10);
    EdgeReply again = browser.post(TOKENS, form);
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.text()).contains("made already from this page");
    assertThat(browser.post(TOKENS, Map.of("csrf", TestBrowser.field(page, "csrf"), "action", "emergency")).status()).as("no key").isEqualTo(409);
    assertThat(login("2468" + codes.getFirst())).as("the printed sheet counts").isInstanceOf(Accepted.class);
    assertThat(shown(act(Map.of("action", "emergency")))).as("another form").hasSize(10);
  }

  @Test
  void aLoginWithAnEmergencyCodePrintsNoOthers() {
    logInByToken();
    List<String> codes = shown(act(Map.of("action", "emergency")));
    idp.time.advance(Duration.ofMinutes(20));
    browser = idp.browser();
    EdgeReply form = browser.get("/realms/demo/login/token");
    EdgeReply in =
        browser.post(
            "/realms/demo/login/token",
            Map.of("csrf", TestBrowser.field(form.text(), "csrf"), "username", "alice", "passcode", "2468" + codes.getFirst()));
    assertThat(in.status()).isEqualTo(303);
    EdgeReply refused = act(Map.of("action", "emergency"));
    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.text()).contains("not with an emergency or recovery code");
    assertThat(Idp.TOKENS.emergencyLeft("demo", ALICE, idp.time.instant())).isEqualTo(9);
  }

  @Test
  void whoseTokenDoesNotCountPrintsNone() {
    logInByToken();
    Idp.TOKENS.change("demo", "t-1", Token.State.LOST);
    assertThat(act(Map.of("action", "emergency")).status()).isEqualTo(403);
    assertThat(Idp.TOKENS.emergencyLeft("demo", ALICE, idp.time.instant())).isZero();
  }

  @Test
  void whoHasFiveTokensIsToldSoBeforeCodesAreUsedUp() {
    logInByToken();
    spare();
    TokenSeeds seeds = idp.context.getBean(TokenSeeds.class);
    for (String serial : List.of("u-1", "u-2", "u-3", "u-4")) {
      Idp.TOKENS.add("demo", List.of(seeds.token("demo", serial, TokenType.USUAL, OTHER, 0, Optional.empty())));
      assertThat(Idp.TOKENS.assign("demo", serial, ALICE)).isTrue();
    }
    long before = Idp.TOKENS.find("demo", "t-2").orElseThrow().lastUsed();
    EdgeReply refused =
        act(Map.of("action", "replace", "token", "t-1", "by", "t-2", "first", code(OTHER, 0), "second", code(OTHER, 1)));
    assertThat(refused.text()).contains("as many tokens as are allowed");
    assertThat(Idp.TOKENS.find("demo", "t-2").orElseThrow().lastUsed()).isEqualTo(before);
  }

  @Test
  void anAppIsNeitherLostNorReplacedHere() {
    logInByToken();
    spare();
    byte[] sealed = idp.context.getBean(SealingKey.class).seal(SEED, TotpSecret.context("demo", ALICE, "app-1"));
    Factor phone = new Factor("app-1", "Phone", 6, sealed, idp.time.instant(), Optional.empty());
    assertThat(idp.secondFactors.add("demo", ALICE, phone, 5)).isTrue();
    assertThat(browser.get(TOKENS).text()).doesNotContain("value=\"app-1\"").contains("value=\"t-1\"");
    assertThat(act(Map.of("action", "lost", "token", "app-1", "password", "demo")).status()).isEqualTo(403);
    Map<String, String> fields =
        Map.of("action", "replace", "token", "app-1", "by", "t-2", "first", code(OTHER, 0), "second", code(OTHER, 1));
    assertThat(act(fields).status()).isEqualTo(403);
    assertThat(Idp.TOKENS.unassign("demo", "t-1", ALICE)).isTrue();
    assertThat(browser.get(TOKENS).text()).as("with apps alone").doesNotContain("value=\"lost\"").doesNotContain("value=\"replace\"");
    assertThat(Idp.TOKENS.find("demo", "app-1").orElseThrow().state()).isEqualTo(Token.State.ENABLED);
    TokenDesk desk = idp.context.getBean(TokenDesk.class);
    assertThat(desk.change("demo", desk.find("demo", "app-1").orElseThrow(), new TokenDesk.Change.Lose()))
        .isEqualTo(Result.refused(TokenDesk.Refusal.IS_APP));
  }

  @Test
  void anOldLoginMakesNoCodesAndRegistersNothing() {
    logInByToken();
    idp.time.advance(Duration.ofMinutes(11));
    assertThat(to(act(Map.of("action", "emergency")))).contains("/login?pending=tokens-strong");
    assertThat(to(act(Map.of("action", "replace", "token", "t-1", "by", "t-2", "first", "000000", "second", "000000"))))
        .contains("/login?pending=tokens-strong");
    assertThat(Idp.TOKENS.emergencyLeft("demo", ALICE, idp.time.instant())).isZero();
  }

  private void spare() {
    TokenSeeds seeds = idp.context.getBean(TokenSeeds.class);
    assertThat(Idp.TOKENS.add("demo", List.of(seeds.token("demo", "t-2", TokenType.USUAL, OTHER, 0, Optional.empty())))).isEmpty();
  }

  @Test
  void whoHasAnotherTokenInTheHandRegistersItInPlaceOfOne() {
    logInByToken();
    spare();
    Map<String, String> fields =
        Map.of("action", "replace", "token", "t-1", "by", "t-2", "first", code(OTHER, 0), "second", code(OTHER, 1));
    assertThat(to(act(fields))).endsWith("?done=replaced");
    assertThat(Idp.TOKENS.of("demo", ALICE)).extracting(Token::serial).containsExactly("t-2");
    Token former = Idp.TOKENS.find("demo", "t-1").orElseThrow();
    assertThat(former.person()).isEmpty();
    assertThat(former.state()).isEqualTo(Token.State.DISABLED);
    assertThat(login("2468" + code(OTHER, 1))).as("used up").isNotInstanceOf(Accepted.class);
    idp.time.advance(Duration.ofSeconds(60));
    assertThat(login("2468" + code(OTHER, 0))).isInstanceOf(Accepted.class);
  }

  @Test
  void wrongCodesAndTokensOfOthersAreRefusedAlikeAndCount() {
    logInByToken();
    spare();
    Idp.TOKENS.assign("demo", "t-2", FakeDirectory.BOB.id());
    int before = Idp.TOKENS.holder("demo", ALICE).wrong();
    Map<String, String> others =
        Map.of("action", "replace", "token", "t-1", "by", "t-2", "first", code(OTHER, 0), "second", code(OTHER, 1));
    Map<String, String> unknown =
        Map.of("action", "replace", "token", "t-1", "by", "t-9", "first", code(OTHER, 0), "second", code(OTHER, 1));
    String first = act(others).text().replaceAll("value=\"[^\"]*\"", "");
    String second = act(unknown).text().replaceAll("value=\"[^\"]*\"", "");
    assertThat(first).isEqualTo(second);
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).isEqualTo(before + 2);
    assertThat(Idp.TOKENS.of("demo", ALICE)).extracting(Token::serial).containsExactly("t-1");
  }

  @Test
  void whereTheServerMakesPinsOneIsShownAndNoneIsTyped() {
    idp = new Idp(realm(ChosenBy.SERVER));
    browser = idp.browser();
    logInByToken();
    assertThat(browser.get(TOKENS).text()).doesNotContain("name=\"again\"");
    idp.time.advance(Duration.ofSeconds(30));
    EdgeReply page = act(Map.of("action", "change-pin", "passcode", "2468" + code(SEED, 0)));
    String pin = shown(page).getFirst();
    assertThat(pin).matches("[0-9]{6}");
    idp.time.advance(Duration.ofSeconds(30));
    assertThat(login("2468" + code(SEED, 0))).isNotInstanceOf(Accepted.class);
    idp.time.advance(Duration.ofSeconds(30));
    assertThat(login(pin + code(SEED, 0))).isInstanceOf(Accepted.class);
    TokenDesk desk = idp.context.getBean(TokenDesk.class);
    String temporary = ((Result.Accepted<String, TokenDesk.Refusal>) desk.resetPin("demo", ALICE.value())).value();
    idp.time.advance(Duration.ofSeconds(30));
    String next = shown(act(Map.of("action", "change-pin", "passcode", temporary + code(SEED, 0)))).getFirst();
    idp.time.advance(Duration.ofSeconds(30));
    assertThat(login(next + code(SEED, 0))).as("in place of a temporary one").isInstanceOf(Accepted.class);
  }
}
