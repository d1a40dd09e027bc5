package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.admin.TokenDesk.Change;
import dev.gatehouse.common.admin.TokenDesk.Refusal;
import dev.gatehouse.common.admin.TokenDesk.TokenView;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.TokenType.Kind;
import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.idp.otp.TokenHelpDesk;
import dev.gatehouse.idp.otp.TokenSeeds;
import dev.gatehouse.idp.otp.ocra.OcraCodes;
import dev.gatehouse.idp.otp.ocra.OcraSuite;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Counters of tokens that answer challenges are found again by the responses to two challenges. */
final class OcraCounterTest {

  private static final PersonId ALICE = FakeDirectory.ALICE.id();
  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);
  private static final String COUNTING = "OCRA-1:HOTP-SHA256-8:C-QN08";
  private static final String WITH_TIME = "OCRA-1:HOTP-SHA1-6:C-QA08-T1M";
  private static final String WITH_PIN = "OCRA-1:HOTP-SHA256-8:C-QN08-PSHA1";
  private static final String PLAIN = "OCRA-1:HOTP-SHA1-6:QN08";
  private static final String TOKENS = "/realms/demo/account/tokens";

  private final Idp idp = new Idp(realm());
  private final TokenHelpDesk desk = idp.context.getBean(TokenHelpDesk.class);

  private static Realm realm() {
    ContractsConfig contracts =
        new ContractsConfig(
            false, SecondFactor.OPTIONAL, ContractsConfig.FORM_ALONE.totp(), Optional.empty(), Optional.empty(), Optional.empty(),
            Optional.of(TokenLogin.USUAL));
    return TestRealms.change(TestRealms.demo()).contracts(contracts).realm();
  }

  private void give(String suite) throws Exception {
    OcraSuite read = OcraSuite.parse(suite);
    TokenSeeds seeds = idp.context.getBean(TokenSeeds.class);
    TokenType type = new TokenType(Kind.OCRA, read.hash(), read.digits(), 0, Optional.of(suite));
    Token token = seeds.token("demo", "ocra", type, SEED, 0, Optional.empty());
    assertThat(Idp.TOKENS.add("demo", List.of(token))).isEmpty();
    assertThat(Idp.TOKENS.assign("demo", "ocra", ALICE)).isTrue();
    seeds.givePin("demo", ALICE, "2468");
  }

  private String response(String suite, long counter, String challenge, String pin) throws Exception {
    long step = idp.time.instant().getEpochSecond() / 60;
    return new OcraCodes(OcraSuite.parse(suite), SEED).of(new OcraCodes.Input(counter, challenge, pin, new byte[0], step));
  }

  private Optional<Refusal> resynchronise(String first, String second) {
    TokenView token = desk.find("demo", "ocra").orElseThrow();
    return desk.change("demo", token, new Change.Resynchronise(first, second))
            instanceof Result.Refused<TokenView, Refusal>(Refusal refusal)
        ? Optional.of(refusal)
        : Optional.empty();
  }

  private long counter() {
    return Idp.TOKENS.find("demo", "ocra").orElseThrow().lastUsed();
  }

  @Test
  void theHelpDeskFindsTheCounterByTheResponsesToTwoChallenges() throws Exception {
    for (String suite : List.of(COUNTING, WITH_TIME)) {
      give(suite);
      List<String> challenges = desk.challenges("demo", "ocra");
      assertThat(challenges).hasSize(2).doesNotHaveDuplicates();
      String first = response(suite, 900, challenges.getFirst(), "");
      String second = response(suite, 901, challenges.getLast(), "");
      assertThat(resynchronise(second, first)).as("in the other order").contains(Refusal.CODES_WRONG);
      assertThat(resynchronise(first, response(suite, 902, challenges.getLast(), ""))).as("not successive").contains(Refusal.CODES_WRONG);
      assertThat(resynchronise(first, response(suite, 901, challenges.getFirst(), ""))).as("one challenge").contains(Refusal.CODES_WRONG);
      assertThat(resynchronise(response(suite, 1500, challenges.getFirst(), ""), response(suite, 1501, challenges.getLast(), "")))
          .as("too far ahead").contains(Refusal.CODES_WRONG);
      assertThat(counter()).isEqualTo(-1);
      assertThat(resynchronise(first, second)).isEmpty();
      assertThat(counter()).isEqualTo(901);
      assertThat(resynchronise(first, second)).as("again").isPresent();
      assertThat(desk.challenges("demo", "ocra")).as("others by now").doesNotContainAnyElementsOf(challenges);
      Idp.TOKENS.erase("demo", ALICE);
      Idp.TOKENS.remove("demo", "ocra");
    }
  }

  @Test
  void challengesCountForSomeMinutesAfterTheyWereShown() throws Exception {
    give(COUNTING);
    idp.time.advance(Duration.ofSeconds(300 - idp.time.instant().getEpochSecond() % 300));
    List<String> challenges = desk.challenges("demo", "ocra");
    idp.time.advance(Duration.ofMinutes(9));
    String first = response(COUNTING, 40, challenges.getFirst(), "");
    String second = response(COUNTING, 41, challenges.getLast(), "");
    idp.time.advance(Duration.ofMinutes(2));
    assertThat(resynchronise(first, second)).as("after more than ten minutes").contains(Refusal.CODES_WRONG);
    idp.time.advance(Duration.ofMinutes(-2));
    assertThat(resynchronise(first, second)).isEmpty();
  }

  @Test
  void thereIsNothingToFindWithoutACounterAndNobodyTellsTheHelpDeskAPin() throws Exception {
    give(PLAIN);
    assertThat(desk.challenges("demo", "ocra")).isEmpty();
    assertThat(resynchronise("123456", "654321")).contains(Refusal.CODES_WRONG);
    Idp.TOKENS.erase("demo", ALICE);
    Idp.TOKENS.remove("demo", "ocra");
    give(WITH_PIN);
    assertThat(desk.challenges("demo", "ocra")).isEmpty();
  }

  private EdgeReply act(TestBrowser browser, String first, String second) {
    Map<String, String> form =
        Map.of(
            "csrf", TestBrowser.field(browser.get(TOKENS).text(), "csrf"), "action", "resynchronise", "token", "ocra", "first", first,
            "second", second);
    return browser.post(TOKENS, form);
  }

  @Test
  void peopleFindItThemselvesAlsoWhereThePinIsPartOfTheResponse() throws Exception {
    TestBrowser browser = idp.browser();
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    give(WITH_PIN);
    Matcher shown = Pattern.compile("answer ([0-9]{8}) first, then ([0-9]{8})").matcher(browser.get(TOKENS).text());
    assertThat(shown.find()).isTrue();
    String first = response(WITH_PIN, 77, shown.group(1), "2468");
    String second = response(WITH_PIN, 78, shown.group(2), "2468");
    assertThat(act(browser, first, second).status()).as("without the PIN").isEqualTo(403);
    String wrong = response(WITH_PIN, 77, shown.group(1), "1357");
    assertThat(act(browser, "1357" + wrong, "1357" + response(WITH_PIN, 78, shown.group(2), "1357")).status())
        .as("another PIN, which the responses were made with").isEqualTo(403);
    assertThat(Idp.TOKENS.holder("demo", ALICE).wrong()).as("counted").isEqualTo(2);
    assertThat(act(browser, "2468" + first, "2468" + second).headers().first("Location").orElse("")).endsWith("done=resynchronised");
    assertThat(counter()).isEqualTo(78);
  }

  @Test
  void aTokenWithoutACounterIsNotOffered() throws Exception {
    TestBrowser browser = idp.browser();
    browser.login(browser.get("/realms/demo/login"), "alice", "demo");
    give(PLAIN);
    assertThat(browser.get(TOKENS).text()).doesNotContain("Let this token answer");
    assertThat(act(browser, "123456", "654321").status()).isEqualTo(403);
  }
}
