package dev.gatehouse.idp;

import static dev.gatehouse.idp.VisitRealm.attempt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.jose.TestKey;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.request.RequestId;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.idp.oauth.client.TestClients;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeCheck;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Challenged;
import dev.gatehouse.idp.otp.PasscodeResult.Question;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import dev.gatehouse.idp.otp.PasscodeStoreUnavailable;
import dev.gatehouse.idp.otp.visit.Visits;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** People of realm home who come to realm branch: the home decides, over TLS, and both sides record it. */
final class VisitorsTest {

  private static final TestKey PORTAL = TestKey.p256("portal");

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final VisitRealm home;
  private final VisitRealm branch;

  VisitorsTest() throws Exception {
    home = new VisitRealm("home", time);
    branch = new VisitRealm("branch", time);
  }

  @BeforeEach
  void trust() {
    home.open(home.trusts(branch.trusted(false, true)));
    branch.open(branch.trusts(home.trusted(true, false)), agent(true));
    branch.idp().directory.remove(FakeDirectory.ALICE);
  }

  @AfterEach
  void close() {
    home.close();
    branch.close();
  }

  private static ClientConfig agent(boolean visitors) {
    ClientConfig c = TestClients.keys("portal", Method.PRIVATE_KEY_JWT, PORTAL);
    ClientConfig.Permissions p = c.permissions();
    return new ClientConfig(
        c.clientId(), c.displayName(), c.authentication(),
        new ClientConfig.Permissions(
            p.grants(), p.redirectUris(), p.scopes(), p.resources(), Optional.of(new ClientConfig.Passcodes(Set.of("visitor"), 50, 0, visitors))),
        c.login(), c.requests(), c.tokens(), c.keys(), c.logout(), c.about());
  }

  private void next() {
    time.advance(Duration.ofSeconds(30));
  }

  private static AuditEvent.VisitorDecided last(VisitRealm at) {
    return at.idp().audit.events(AuditEvent.VisitorDecided.class).getLast();
  }

  @Test
  void theHomeDecidesAndBothRecordIt() throws Exception {
    String passcode = "2468" + home.code(0);
    PasscodeResult result = RequestId.call("visit23", () -> branch.typed("alice@HOME.example", passcode));
    assertThat(result)
        .isInstanceOfSatisfying(
            Accepted.class,
            in -> {
              assertThat(in.person().name()).isEqualTo("alice@home.example");
              assertThat(in.person().id().value()).startsWith("home.example:").doesNotContain(FakeDirectory.ALICE.id().value());
              assertThat(in.person().roles()).containsExactly("visitor");
              assertThat(in.person().attributes()).isEmpty();
            });
    assertThat(last(branch))
        .satisfies(
            event -> {
              assertThat(event.context().reference()).contains("visit23");
              assertThat(event.context().client()).isEqualTo("192.0.2.99");
              assertThat(List.of(event.name(), event.by(), event.home(), event.outcome()))
                  .containsExactly("alice@home.example", "vpn", "home.example", "accepted");
            });
    assertThat(home.idp().audit.events(AuditEvent.PasscodeDecided.class))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.context().reference()).as("ours, which nobody else chooses").contains("edge1");
              assertThat(event.context().client()).as("where the person is").isEqualTo("-");
              assertThat(List.of(event.name(), event.by(), event.outcome())).containsExactly("alice", "realm:branch.example", "accepted");
            });
    assertThat(home.idp().audit.events(AuditEvent.VisitorSought.class))
        .singleElement()
        .satisfies(
            event -> {
              assertThat(event.context().reference()).contains("edge1");
              assertThat(List.of(event.name(), event.by(), event.visit(), event.outcome()))
                  .containsExactly("alice@HOME.example", "realm:branch.example", "visit23", "passcode");
            });
    assertThat(branch.typed("alice@home.example", passcode)).isEqualTo(new Refused(Reason.HOME_REFUSED));
    assertThat(home.idp().audit.events(AuditEvent.PasscodeDecided.class).getLast().detail()).isEqualTo("CODE_USED");
    assertThat(branch.idp().audit.events(AuditEvent.PasscodeDecided.class)).isEmpty();
  }

  @Test
  void agentsAreToldAVisitor() throws Exception {
    assertThat(askedByAgent("alice@home.example", "2468" + home.code(0)))
        .startsWith("{\"result\":\"accept\",\"sub\":\"home.example:")
        .endsWith("\"name\":\"alice@home.example\"}");
  }

  @Test
  void agentsHearTheAttributesThatAreTaken() throws Exception {
    TrustedRealm usual = home.trusted(true, false);
    branch.open(
        branch.trusts(
            new TrustedRealm(
                usual.suffixes(), usual.document(), usual.roles(), true, false, 50, usual.timeout(),
                new TrustedRealm.Exchange(Set.of(), Set.of("department"), List.of()))),
        agent(true));
    branch.idp().directory.remove(FakeDirectory.ALICE);
    home.lies =
        path -> Optional.of("{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"alice\",\"attributes\":{\"department\":[\"sales\"],\"mail\":[\"m\"]}}");
    assertThat(askedByAgent("alice@home.example", "1")).endsWith("\"name\":\"alice@home.example\",\"attributes\":{\"department\":[\"sales\"]}}");
  }

  @Test
  void agentsThatTakeNoVisitorsAreToldNobody() throws Exception {
    branch.open(branch.trusts(home.trusted(true, false)), agent(false));
    branch.idp().directory.remove(FakeDirectory.ALICE);
    for (String name : List.of("alice@home.example", "alice")) {
      assertThat(askedByAgent(name, "2468" + home.code(0))).isEqualTo("{\"result\":\"reject\"}");
    }
    PasscodeCheck check = branch.idp().context.getBean(Visits.class).of(branch.realm(), false).orElseThrow();
    assertThat(check.check(attempt("alice@home.example", "2468" + home.code(0)))).isEqualTo(new Refused(Reason.UNKNOWN_PERSON));
    assertThat(check.answer("~AAAA", attempt("alice@home.example", "2468" + home.code(0)))).isEqualTo(new Refused(Reason.CHALLENGE_UNKNOWN));
    assertThat(home.asked).isEmpty();
  }

  private String askedByAgent(String name, String passcode) {
    long now = time.instant().getEpochSecond();
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", "portal");
    claims.put("sub", "portal");
    claims.put("aud", branch.realm().idp().orElseThrow().entityId("branch"));
    claims.put("iat", now);
    claims.put("exp", now + 60);
    claims.put("jti", UUID.randomUUID().toString());
    Map<String, String> form =
        Map.of(
            "client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion", PORTAL.sign(JwsName.ES256, claims),
            "name", name,
            "passcode", passcode);
    return branch.post(Optional.empty(), "otp/v1/authentications", form).text();
  }

  /** An agent that hears 503 asks another server about the same code, which is used up. */
  @Test
  void whatFailsAfterTheHomesAnswerMayHaveCounted() {
    home.lies =
        path -> {
          branch.idp().directory.down = true;
          return Optional.of("{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"alice\"}");
        };
    assertThatExceptionOfType(PasscodeStoreUnavailable.class)
        .isThrownBy(() -> branch.typed("alice@home.example", "1"))
        .matches(PasscodeStoreUnavailable::mayHaveCounted);
    assertThatExceptionOfType(PasscodeStoreUnavailable.class)
        .as("before it was asked")
        .isThrownBy(() -> branch.typed("alice@home.example", "1"))
        .matches(before -> !before.mayHaveCounted());
    branch.idp().directory.down = false;
  }

  @Test
  void theHomeSaysWhetherAPasscodeMayHaveCounted() throws Exception {
    for (int i = 0; i < TokenLogin.USUAL.nextCodeAfter(); i++) {
      Idp.TOKENS.countWrong("home", FakeDirectory.ALICE.id(), TokenLogin.USUAL.lockAfter(), Optional.empty());
    }
    Map<String, String> form = new HashMap<>(Map.of("name", "alice@home.example", "passcode", "2468" + home.code(0), "visit", "visit1"));
    String asked = home.post(Optional.of(branch.key), "otp/v1/visitors", form).text();
    assertThat(asked).contains("NEXT_CODE");
    home.idp().directory.down = true;
    EdgeReply before = home.post(Optional.of(branch.key), "otp/v1/visitors", form);
    assertThat(before.status()).isEqualTo(503);
    assertThat(before.text()).contains("was not counted");
    form.put("challenge", asked.replaceFirst("(?s).*\"challenge\":\\s*\"([^\"]+)\".*", "$1"));
    EdgeReply midway = home.post(Optional.of(branch.key), "otp/v1/visitors", form);
    assertThat(midway.status()).isEqualTo(500);
    assertThat(midway.text()).contains("may have been counted");
    home.idp().directory.down = false;
    assertThat(home.post(Optional.of(branch.key), "otp/v1/visitors", form).text()).as("the challenge was used up").contains("reject");
  }

  @Test
  void aWrongPasscodeCountsOnceAndAtHome() {
    assertThat(branch.typed("alice@home.example", "2468000000")).isEqualTo(new Refused(Reason.HOME_REFUSED));
    assertThat(Idp.TOKENS.holder("home", FakeDirectory.ALICE.id()).wrong()).isEqualTo(1);
    assertThat(Idp.TOKENS.holder("branch", FakeDirectory.ALICE.id()).wrong()).isZero();
  }

  @Test
  void aChallengeOfTheHomeIsAnsweredByWhomItWasGivenTo() throws Exception {
    for (int i = 0; i < 3; i++) {
      branch.typed("alice@home.example", "2468000000");
    }
    PasscodeResult asked = branch.typed("alice@home.example", "2468" + home.code(0));
    assertThat(asked).isInstanceOfSatisfying(Challenged.class, c -> assertThat(c.question()).isEqualTo(Question.NEXT_CODE));
    String reference = asked instanceof Challenged(Question question, String key, var shown) ? key : "";
    assertThat(reference).hasSizeLessThan(253);
    String code = home.code(1);
    PasscodeAttempt other = new PasscodeAttempt("alice@home.example", code, "other", "");
    assertThat(branch.check().answer(reference, other)).isEqualTo(new Refused(Reason.CHALLENGE_UNKNOWN));
    assertThat(branch.check().answer(reference, attempt("bob@home.example", code))).isEqualTo(new Refused(Reason.CHALLENGE_UNKNOWN));
    assertThat(branch.check().answer("~" + reference, attempt("alice@home.example", code))).isEqualTo(new Refused(Reason.CHALLENGE_UNKNOWN));
    assertThat(branch.check().answer(reference, attempt("alice@home.example", code))).isInstanceOf(Accepted.class);
    assertThat(branch.check().answer(reference, attempt("alice@home.example", code))).isEqualTo(new Refused(Reason.HOME_REFUSED));
  }

  @Test
  void oneCodeCountsOnceWhicheverRealmItIsTypedAt() throws Exception {
    String passcode = "2468" + home.code(0);
    List<PasscodeResult> results =
        Race.of(8, i -> () -> i % 2 == 0 ? branch.typed("alice@home.example", passcode) : home.typed("alice", passcode));
    assertThat(results).filteredOn(Accepted.class::isInstance).hasSize(1);
  }

  @Test
  void aNameWithoutSuffixIsSoughtAndRemembered() throws Exception {
    assertThat(branch.typed("alice", "2468" + home.code(0)))
        .isInstanceOfSatisfying(Accepted.class, in -> assertThat(in.person().name()).isEqualTo("alice@home.example"));
    assertThat(home.asked).containsExactly("POST otp/v1/visitors/known", "POST otp/v1/visitors");
    assertThat(home.idp().audit.events(AuditEvent.VisitorSought.class))
        .filteredOn(event -> !event.outcome().equals("passcode"))
        .singleElement()
        .satisfies(event -> assertThat(List.of(event.name(), event.by(), event.outcome())).containsExactly("alice", "realm:branch.example", "known"));
    next();
    assertThat(branch.typed("alice", "2468" + home.code(0))).isInstanceOf(Accepted.class);
    assertThat(home.asked).as("not sought again").hasSize(3);
  }

  @Test
  void whoseHomeCannotBeRememberedIsLetInAllTheSame() throws Exception {
    branch.isSpaceLow = true;
    assertThat(branch.typed("alice", "2468" + home.code(0))).isInstanceOf(Accepted.class);
    next();
    assertThat(branch.typed("alice", "2468" + home.code(0))).isInstanceOf(Accepted.class);
    assertThat(home.asked).as("sought again").filteredOn("POST otp/v1/visitors/known"::equals).hasSize(2);
  }

  @Test
  void whoAnsweredAChallengeOfTheHomeIsRemembered() throws Exception {
    for (int i = 0; i < TokenLogin.USUAL.nextCodeAfter(); i++) {
      branch.typed("alice", "2468000000");
    }
    String reference = branch.typed("alice", "2468" + home.code(0)) instanceof Challenged(Question question, String key, var shown) ? key : "";
    assertThat(branch.check().answer(reference, attempt("alice", home.code(1)))).isInstanceOf(Accepted.class);
    home.asked.clear();
    time.advance(Duration.ofMinutes(2));
    assertThat(branch.typed("alice", "2468" + home.code(0))).isInstanceOf(Accepted.class);
    assertThat(home.asked).as("not sought again").containsExactly("POST otp/v1/visitors");
  }

  @Test
  void whomNobodyKnowsIsNotSoughtTwiceAndTheirPasscodeGoesNowhere() {
    assertThat(branch.typed("zoe", "2468123456")).isEqualTo(new Refused(Reason.UNKNOWN_PERSON));
    assertThat(branch.typed("zoe", "2468123456")).isEqualTo(new Refused(Reason.UNKNOWN_PERSON));
    assertThat(home.asked).containsExactly("POST otp/v1/visitors/known");
  }

  @Test
  void ourOwnPeopleAreNobodysVisitors() {
    branch.idp().directory.disable(FakeDirectory.BOB);
    assertThat(branch.typed("bob", "2468123456")).isInstanceOf(Refused.class);
    assertThat(branch.typed("bob@branch.example", "2468123456")).isInstanceOf(Refused.class);
    assertThat(branch.typed("zoe@elsewhere.example", "2468123456")).isEqualTo(new Refused(Reason.UNKNOWN_PERSON));
    assertThat(home.asked).isEmpty();
    assertThat(branch.idp().audit.events(AuditEvent.VisitorDecided.class)).isEmpty();
  }

  @Test
  void ourOwnPeopleMayWriteOurSuffix() throws Exception {
    assertThat(home.typed("alice@Home.Example", "2468" + home.code(0)))
        .isInstanceOfSatisfying(Accepted.class, in -> assertThat(in.person()).isEqualTo(FakeDirectory.ALICE));
  }

  @Test
  void whoIsNotToldHearsNo() throws Exception {
    home.open(home.trusts(branch.trusted(false, false)));
    assertThat(branch.typed("alice", "2468" + home.code(0))).isEqualTo(new Refused(Reason.UNKNOWN_PERSON));
    assertThat(home.asked).containsExactly("POST otp/v1/visitors/known");
    assertThat(home.idp().audit.events(AuditEvent.VisitorSought.class)).isEmpty();
    assertThat(branch.typed("alice@home.example", "2468" + home.code(0))).isInstanceOf(Accepted.class);
  }

  @Test
  void aNameThatTwoRealmsKnowIdentifiesNobody() throws Exception {
    try (VisitRealm third = new VisitRealm("third", time)) {
      third.open(third.trusts(branch.trusted(false, true)));
      branch.open(branch.trusts(home.trusted(true, false), third.trusted(true, false)));
      branch.idp().directory.remove(FakeDirectory.ALICE);
      assertThat(branch.typed("alice", "2468" + home.code(0))).isEqualTo(new Refused(Reason.HOME_AMBIGUOUS));
      assertThat(last(branch).home()).isEqualTo("home.example third.example");
      assertThat(home.asked).containsExactly("POST otp/v1/visitors/known");
      assertThat(branch.typed("alice@third.example", "2468" + home.code(0))).isInstanceOf(Accepted.class);
    }
  }

  @Test
  void aQuestionOfAnotherRealmIsNeverPassedOn() throws Exception {
    try (VisitRealm third = new VisitRealm("third", time)) {
      third.open(third.trusts(home.trusted(false, true)));
      home.open(home.trusts(branch.trusted(true, true), third.trusted(true, true)));
      String passcode = "2468" + home.code(0);
      for (String name : List.of("alice@third.example", "alice@branch.example", "zoe")) {
        Map<String, String> form = Map.of("name", name, "passcode", passcode, "visit", "v1");
        assertThat(home.post(Optional.of(branch.key), "otp/v1/visitors", form).text()).isEqualTo("{\"result\":\"reject\"}");
      }
      assertThat(home.idp().audit.events(AuditEvent.PasscodeDecided.class))
          .extracting(AuditEvent.PasscodeDecided::detail)
          .containsExactly("SUFFIX_NOT_OURS", "SUFFIX_NOT_OURS", "UNKNOWN_PERSON");
      assertThat(third.asked).isEmpty();
      assertThat(branch.asked).isEmpty();
      assertThat(home.typed("alice@third.example", passcode)).as("its own clients may").isInstanceOf(Accepted.class);
    }
  }
}
