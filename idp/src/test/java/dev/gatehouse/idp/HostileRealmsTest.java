package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.admin.TrustDesk;
import dev.gatehouse.common.admin.TrustDesk.TrustTest;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.key.PeopleCa.CertificateSpec;
import dev.gatehouse.common.key.PeopleCa.Issued;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.common.realm.otp.RealmDocument;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Trusted realms that lie, hang or flood, and strangers: what they get, and what others notice of it. */
final class HostileRealmsTest {

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final VisitRealm home;
  private final VisitRealm branch;

  HostileRealmsTest() throws Exception {
    home = new VisitRealm("home", time);
    branch = new VisitRealm("branch", time);
  }

  @BeforeEach
  void trust() {
    home.open(home.trusts(branch.trusted(false, true)));
    branch.open(branch.trusts(home.trusted(true, false)));
    branch.idp().directory.remove(FakeDirectory.ALICE);
  }

  @AfterEach
  void close() {
    home.close();
    branch.close();
  }

  private Refused refused(String name) {
    PasscodeResult result = branch.typed(name, "2468123456");
    assertThat(result).isInstanceOf(Refused.class);
    return (Refused) result;
  }

  @Test
  void anAnswerOfAnotherFormLetsNobodyIn() {
    List<String> answers =
        List.of(
            "{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"bob@branch.example\"}",
            "{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"boss@third.example\"}",
            "{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"a\\nb\"}",
            "{\"result\":\"accept\",\"sub\":\"x\",\"name\":\" \"}",
            "{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"alice\\u0085\"}",
            "{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"alice\\u2028\"}",
            "{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"\\u202ealice\"}",
            "{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"al\\u200bice\"}",
            "{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"alice\\uff20branch\"}",
            "{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"\\uff41lice\"}",
            "{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"bob\"}",
            "{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"" + "x".repeat(250) + "\"}",
            "{\"result\":\"accept\",\"sub\":\"a b\",\"name\":\"alice\"}",
            "{\"result\":\"accept\",\"name\":\"alice\"}",
            "{\"result\":\"accept\",\"result\":\"reject\",\"sub\":\"x\",\"name\":\"alice\"}",
            "{\"result\":\"ACCEPT\",\"sub\":\"x\",\"name\":\"alice\"}",
            "{\"result\":\"challenge\",\"question\":\"NEXT_CODE\",\"challenge\":\"~again\"}",
            "{\"result\":\"challenge\",\"question\":\"PASSWORD\",\"challenge\":\"x\"}",
            "[]",
            "accept",
            "");
    for (String answer : answers) {
      home.lies = path -> Optional.of(answer);
      assertThat(refused("alice@home.example").reason()).as(answer).isEqualTo(Reason.HOME_ANSWER_INVALID);
    }
  }

  /** Whoever types at a client is a stranger; an audit log that is full stops every login. */
  @Test
  void whatNoHomeDecidedAboutIsWrittenAtAPace() {
    PasscodeAttempt notAdmitted = new PasscodeAttempt("alice@home.example", "2468123456", "vpn", "192.0.2.99", person -> false);
    for (int i = 0; i < 400; i++) {
      assertThat(branch.check().check(notAdmitted)).isEqualTo(new Refused(Reason.NOT_ADMITTED));
      assertThat(branch.check().answer("~invented", notAdmitted)).isEqualTo(new Refused(Reason.CHALLENGE_UNKNOWN));
    }
    assertThat(home.asked).isEmpty();
    assertThat(visitors()).isEqualTo(500);
    PasscodeAttempt elsewhere = new PasscodeAttempt("alice@home.example", "2468123456", "portal", "192.0.2.99", person -> false);
    assertThat(branch.check().check(elsewhere)).isEqualTo(new Refused(Reason.NOT_ADMITTED));
    assertThat(visitors()).as("another client").isEqualTo(501);
    assertThat(refused("alice@home.example").reason()).isEqualTo(Reason.HOME_REFUSED);
    assertThat(visitors()).as("what the home decided").isEqualTo(502);
    time.advance(Duration.ofSeconds(5));
    for (int i = 0; i < 10; i++) {
      branch.check().check(notAdmitted);
    }
    assertThat(visitors()).as("one a second").isEqualTo(507);
  }

  private int visitors() {
    return branch.idp().audit.events(AuditEvent.VisitorDecided.class).size();
  }

  /** Whoever it names has the name of a visitor of that realm, an id that none of our people has, and the roles that we configured. */
  @Test
  void aRealmSpeaksForItsOwnSuffixOnly() {
    home.lies = path -> Optional.of("{\"result\":\"accept\",\"sub\":\"b0b\",\"name\":\"Alice\",\"roles\":[\"manager\"]}");
    assertThat(branch.typed("alice@home.example", "1"))
        .isInstanceOfSatisfying(
            Accepted.class,
            in -> {
              assertThat(in.person().name()).isEqualTo("Alice@home.example");
              assertThat(in.person().id().value()).isEqualTo("home.example:b0b");
              assertThat(in.person().roles()).containsExactly("visitor");
            });
    home.asked.clear();
    assertThat(branch.typed("bob", "1")).as("ours").isInstanceOf(Refused.class);
    assertThat(branch.typed("bob@branch.example", "1")).isInstanceOf(Refused.class);
    assertThat(home.asked).isEmpty();
  }

  /** A directory may have a name that ends with the suffix of another realm: what is typed otherwise must not lead to it. */
  @Test
  void aHomeCannotNameOneOfOurs() {
    branch.idp().directory.put(new Person(new PersonId("x"), "alice@home.example", "uid=x", Map.of("uid", List.of("alice@home.example")), List.of(), java.util.Set.of()), "demo");
    home.lies = path -> Optional.of("{\"result\":\"accept\",\"known\":true,\"sub\":\"x\",\"name\":\"alice\"}");
    assertThat(refused("alice").reason()).isEqualTo(Reason.HOME_ANSWER_INVALID);
  }

  /** Otherwise the realm that lies would be remembered as the home while the true one is away for a moment. */
  @Test
  void aYesDecidesNothingWhileAnotherRealmIsSilent() throws Exception {
    try (VisitRealm liar = new VisitRealm("liar", time)) {
      liar.open(liar.trusts(branch.trusted(false, true)));
      liar.lies = path -> Optional.of("{\"result\":\"accept\",\"known\":true,\"sub\":\"x\",\"name\":\"alice\"}");
      branch.open(branch.trusts(home.trusted(true, false), liar.trusted(true, false)));
      branch.idp().directory.remove(FakeDirectory.ALICE);
      home.lies = path -> Optional.of("busy");
      assertThat(refused("alice").reason()).isEqualTo(Reason.HOME_UNAVAILABLE);
      assertThat(liar.asked).containsExactly("POST otp/v1/visitors/known");
      home.lies = path -> Optional.empty();
      assertThat(refused("alice").reason()).as("nothing was remembered").isEqualTo(Reason.HOME_AMBIGUOUS);
    }
  }

  /** Names that are invented here would otherwise keep visitors out. */
  @Test
  void searchesThatFailDoNotKeepVisitorsOut() throws Exception {
    home.broken = path -> path.endsWith("/known");
    for (int i = 0; i < 8; i++) {
      assertThat(refused("nobody" + i).reason()).isEqualTo(Reason.HOME_UNAVAILABLE);
    }
    assertThat(home.asked).as("left alone with names").hasSize(5);
    assertThat(branch.typed("alice@home.example", "2468" + home.code(0))).isInstanceOf(Accepted.class);
  }

  @Test
  void aTestOfATrustFollowsNoRedirect() {
    home.redirects = true;
    TrustTest test = desk(branch).test("branch", "home.example").orElseThrow();
    assertThat(test.works()).isFalse();
    assertThat(test.problems()).first().asString().startsWith("It answered with status 302");
    assertThat(home.asked).containsExactly("GET otp/v1/visitors", "GET otp/v1/realm");
  }

  @Test
  void aCertificateThatIsNotInTheDocumentIsNobodys() throws Exception {
    Issued other = VisitRealm.ANYBODY.issue(CertificateSpec.of("CN=branch"));
    branch.open(branch.trusts(other, home.trusted(true, false)));
    branch.idp().directory.remove(FakeDirectory.ALICE);
    assertThat(branch.typed("alice@home.example", "2468" + home.code(0))).isEqualTo(new Refused(Reason.HOME_DISTRUSTS_US));
    assertThat(branch.typed("alice", "2468" + home.code(0))).as("nor is anything told").isEqualTo(new Refused(Reason.HOME_UNAVAILABLE));
    Map<String, String> form = Map.of("name", "alice@home.example", "passcode", "2468" + home.code(0), "visit", "v");
    assertThat(home.post(Optional.empty(), "otp/v1/visitors", form).status()).isEqualTo(401);
    assertThat(home.post(Optional.of(home.key), "otp/v1/visitors", form).status()).as("its own").isEqualTo(401);
    assertThat(home.post(Optional.of(other), "otp/v1/visitors/known", form).status()).isEqualTo(401);
    assertThat(home.idp().audit.events(AuditEvent.PasscodeDecided.class)).isEmpty();
    assertThat(home.post(Optional.of(branch.key), "otp/v1/visitors", form).text()).startsWith("{\"result\":\"accept\"");
  }

  @Test
  void aCertificateCountsWhileItIsValid() {
    time.advance(Duration.ofDays(40));
    assertThat(refused("alice@home.example").reason()).isEqualTo(Reason.HOME_DISTRUSTS_US);
  }

  @Test
  void aServerOfAnotherAuthorityGetsNoPasscode() {
    TrustedRealm there = home.trusted(true, false);
    PeopleCa others = PeopleCa.create("CN=Servers CA", java.time.Instant.now());
    TrustedRealm.Document document =
        new TrustedRealm.Document(
            there.suffixes(), there.document().url(), there.document().certificates(), List.of(others.certificate()));
    branch.open(branch.trusts(new TrustedRealm(there.suffixes(), document, there.roles(), true, false, 50, there.timeout())));
    assertThat(refused("alice@home.example").reason()).isEqualTo(Reason.HOME_UNAVAILABLE);
    assertThat(home.asked).isEmpty();
  }

  @Test
  void aHomeThatHangsIsLeftAloneAndSlowsNobody() throws Exception {
    List<java.net.Socket> held = new ArrayList<>();
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  while (true) {
                    held.add(silent.accept());
                  }
                } catch (java.io.IOException e) {
                  // The test is over.
                }
              });
      TrustedRealm.Document nowhere =
          new TrustedRealm.Document(
              List.of("slow.example"), URI.create("https://localhost:" + silent.getLocalPort() + "/realms/slow/otp/v1"),
              List.of(VisitRealm.ANYBODY.issue(CertificateSpec.of("CN=slow")).certificate()), List.of(VisitRealm.SERVERS.certificate()));
      TrustedRealm slow = new TrustedRealm(List.of("slow.example"), nowhere, java.util.Set.of(), false, false, 50, Duration.ofMillis(200));
      branch.open(branch.trusts(home.trusted(false, false), slow));
      branch.idp().directory.remove(FakeDirectory.ALICE);
      for (int i = 0; i < 5; i++) {
        assertThat(refused("zoe@slow.example").reason()).isEqualTo(Reason.HOME_UNAVAILABLE);
      }
      int before = held.size();
      for (int i = 0; i < 20; i++) {
        assertThat(refused("zoe@slow.example").reason()).isEqualTo(Reason.HOME_UNAVAILABLE);
      }
      assertThat(held).as("it is not asked while it is left alone").hasSize(before);
      assertThat(branch.typed("alice@home.example", "2468" + home.code(0))).isInstanceOf(Accepted.class);
      assertThat(desk(branch).list("branch")).extracting(trust -> trust.contact().paused()).containsExactly(false, true);
      time.advance(Duration.ofSeconds(11));
      assertThat(refused("zoe@slow.example").reason()).isEqualTo(Reason.HOME_UNAVAILABLE);
      assertThat(held.size()).as("one tries again").isGreaterThan(before);
    }
  }

  @Test
  void aRealmAsksSoOftenASecond() throws Exception {
    TrustedRealm there = branch.trusted(false, true);
    home.open(
        home.trusts(new TrustedRealm(there.suffixes(), there.document(), there.roles(), false, true, 2, there.timeout())));
    refused("alice@home.example");
    refused("alice@home.example");
    assertThat(refused("alice@home.example").reason()).isEqualTo(Reason.HOME_UNAVAILABLE);
    assertThat(Idp.TOKENS.holder("home", FakeDirectory.ALICE.id()).wrong()).isEqualTo(2);
    Map<String, String> name = Map.of("name", "alice", "visit", "v");
    assertThat(home.post(Optional.of(branch.key), "otp/v1/visitors/known", name).text()).isEqualTo("{\"known\":true}");
    assertThat(home.post(Optional.of(branch.key), "otp/v1/visitors/known", name).status()).as("names: a tenth").isEqualTo(429);
    time.advance(Duration.ofSeconds(1));
    assertThat(branch.typed("alice@home.example", "2468" + home.code(0))).isInstanceOf(Accepted.class);
  }

  @Test
  void namesThatAreInventedHereAreSoughtSoOftenASecond() throws Exception {
    for (int i = 0; i < 20; i++) {
      assertThat(refused("nobody" + i).reason()).isEqualTo(Reason.UNKNOWN_PERSON);
    }
    assertThat(refused("alice").reason()).as("whose she is, is not known").isEqualTo(Reason.HOME_UNAVAILABLE);
    assertThat(refused("nobody0").reason()).isEqualTo(Reason.UNKNOWN_PERSON);
    assertThat(home.asked).hasSize(20);
    time.advance(Duration.ofSeconds(1));
    assertThat(branch.typed("alice", "2468" + home.code(0))).isInstanceOf(Accepted.class);
  }

  @Test
  void peopleWithoutTokenOrWithSuffixAreNotKnown() {
    for (String name : List.of("bob", "alice@home.example", "", "x".repeat(300))) {
      Map<String, String> form = Map.of("name", name, "visit", "v");
      assertThat(home.post(Optional.of(branch.key), "otp/v1/visitors/known", form).text()).as(name).isEqualTo("{\"known\":false}");
    }
    home.idp().directory.disable(FakeDirectory.ALICE);
    assertThat(home.post(Optional.of(branch.key), "otp/v1/visitors/known", Map.of("name", "alice")).text()).isEqualTo("{\"known\":false}");
  }

  @Test
  void aQuestionWithoutItsPartsIsRefused() {
    for (String missing : List.of("name", "passcode", "visit")) {
      Map<String, String> form = new java.util.HashMap<>(Map.of("name", "alice@home.example", "passcode", "2468123456", "visit", "v"));
      form.remove(missing);
      assertThat(home.post(Optional.of(branch.key), "otp/v1/visitors", form).text()).contains("The parameter " + missing + " is missing");
    }
    Map<String, String> form = Map.of("name", "alice@home.example", "passcode", "2468123456", "visit", "a b\n");
    assertThat(home.post(Optional.of(branch.key), "otp/v1/visitors", form).status()).isEqualTo(400);
  }

  private static TrustDesk desk(VisitRealm realm) {
    return realm.idp().context.getBean(TrustDesk.class);
  }

  @Test
  void anAdministratorTestsATrust() throws Exception {
    assertThat(desk(branch).test("branch", "home.example")).contains(new TrustTest(true, Optional.of("branch.example"), List.of()));
    assertThat(desk(branch).test("branch", "third.example")).isEmpty();
    assertThat(desk(branch).list("branch")).singleElement().extracting(TrustDesk.TrustView::url).isEqualTo(home.document().url().toString());
    home.open(home.trusts(VisitRealm.ANYBODY.issue(CertificateSpec.of("CN=new")), branch.trusted(false, true)));
    TrustTest changed = desk(branch).test("branch", "home.example").orElseThrow();
    assertThat(changed.works()).isTrue();
    assertThat(changed.problems()).singleElement().asString().startsWith("Its document has changed");
    branch.open(branch.trusts(VisitRealm.ANYBODY.issue(CertificateSpec.of("CN=x")), home.trusted(false, false)));
    TrustTest unknown = desk(branch).test("branch", "home.example").orElseThrow();
    assertThat(unknown.works()).isFalse();
    assertThat(unknown.problems()).first().asString().startsWith("It does not know our certificate");
    home.close();
    assertThat(desk(branch).test("branch", "home.example").orElseThrow().problems()).first().asString().startsWith("It was not reached");
  }

  @Test
  void theDocumentIsReadAsItIsWritten() {
    TrustedRealm.Document document = home.document();
    assertThat(RealmDocument.read(RealmDocument.write(document))).contains(document);
    assertThat(RealmDocument.read("{}".getBytes(java.nio.charset.StandardCharsets.UTF_8))).isEmpty();
  }
}
