package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.realm.Realm.TrustedRealm;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Exchange;
import dev.gatehouse.common.realm.Realm.TrustedRealm.Grant;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.idp.otp.PasscodeAttempt;
import dev.gatehouse.idp.otp.PasscodeResult;
import dev.gatehouse.idp.otp.PasscodeResult.Accepted;
import dev.gatehouse.idp.otp.PasscodeResult.Reason;
import dev.gatehouse.idp.otp.PasscodeResult.Refused;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a home tells about its people, and what the visited realm takes of it: the smaller of two lists, and no roles by the home's word. */
final class VisitorAttributesTest {

  private static final Map<String, List<String>> ATTRIBUTES =
      Map.of(
          "uid", List.of("alice"), "department", List.of("sales", "x".repeat(257), "a\nb"), "mail", List.of("alice@example.com"), "roles", List.of("manager"),
          "phone", IntStream.range(0, 20).mapToObj(String::valueOf).toList(), "long", List.of("y".repeat(300)));

  private final TestTime time = new TestTime(SamlFixtures.NOW);
  private final VisitRealm home;
  private final VisitRealm branch;

  VisitorAttributesTest() throws Exception {
    home = new VisitRealm("home", time);
    branch = new VisitRealm("branch", time);
  }

  @AfterEach
  void close() {
    home.close();
    branch.close();
  }

  private static TrustedRealm with(TrustedRealm realm, Exchange exchange) {
    return new TrustedRealm(
        realm.suffixes(), realm.document(), realm.roles(), realm.asked(), realm.told(), realm.perSecond(), realm.timeout(), exchange);
  }

  private void open(Set<String> tells, Set<String> takes, Grant... grants) {
    home.open(home.trusts(with(branch.trusted(false, true), new Exchange(tells, Set.of(), List.of()))));
    branch.open(branch.trusts(with(home.trusted(true, false), new Exchange(Set.of(), takes, List.of(grants)))));
    branch.idp().directory.remove(FakeDirectory.ALICE);
    Person alice = FakeDirectory.ALICE;
    home.idp().directory.put(new Person(alice.id(), alice.name(), alice.dn(), ATTRIBUTES, alice.groups(), alice.roles()), "demo");
  }

  private Person visitor() throws Exception {
    time.advance(Duration.ofSeconds(60));
    PasscodeResult result = branch.typed("alice@home.example", "2468" + home.code(0));
    assertThat(result).isInstanceOf(Accepted.class);
    return ((Accepted) result).person();
  }

  @Test
  void whatOneTellsAndTheOtherTakesArrives() throws Exception {
    open(Set.of("department", "phone", "long", "roles"), Set.of("department", "phone", "mail", "long"));
    Person visitor = visitor();
    assertThat(visitor.attributes()).containsOnlyKeys("department", "phone");
    assertThat(visitor.attributes().get("department")).as("without what is too long or no text").containsExactly("sales");
    assertThat(visitor.attributes().get("phone")).hasSize(8);
    assertThat(visitor.roles()).as("the home's word gives none").containsExactly("visitor");
    open(Set.of(), Set.of("department"));
    assertThat(visitor().attributes()).as("nothing is told").isEmpty();
    open(Set.of("department"), Set.of());
    assertThat(visitor().attributes()).as("nothing is taken").isEmpty();
  }

  @Test
  void aValueGivesTheRolesThatTheVisitedRealmSays() throws Exception {
    open(Set.of("department", "roles"), Set.of(), new Grant("department", "sales", Set.of("vpn")), new Grant("roles", "admin", Set.of("root")));
    assertThat(visitor().roles()).containsExactlyInAnyOrder("visitor", "vpn");
    assertThat(visitor().attributes()).isEmpty();
    time.advance(Duration.ofSeconds(60));
    String passcode = "2468" + home.code(0);
    PasscodeAttempt root = new PasscodeAttempt("alice@home.example", passcode, "vpn", "", person -> person.roles().contains("root"));
    assertThat(branch.check().check(root)).as("roles that people of the home may have, and she has not").isEqualTo(new Refused(Reason.NOT_ADMITTED));
    int asked = home.asked.size();
    PasscodeAttempt other = new PasscodeAttempt("alice@home.example", passcode, "vpn", "", person -> person.roles().contains("manager"));
    assertThat(branch.check().check(other)).isEqualTo(new Refused(Reason.NOT_ADMITTED));
    assertThat(home.asked).as("roles that nobody of the home can have").hasSize(asked);
  }

  @Test
  void anAnswerThatTellsTooMuchOrSomethingElseLetsNobodyIn() {
    open(Set.of(), Set.of("department"));
    String many = IntStream.range(0, 17).mapToObj(i -> "\"a" + i + "\":[]").collect(Collectors.joining(",", "{", "}"));
    for (String told :
        List.of(
            "[]", "\"sales\"", "{\"department\":\"sales\"}", "{\"department\":[1]}", "{\"department\":[\"\"]}",
            "{\"department\":[\"a\\nb\"]}", "{\"department\":[\"" + "x".repeat(257) + "\"]}", "{\"a b\":[\"x\"]}",
            "{\"department\":[\"1\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\",\"9\"]}", many)) {
      home.lies = path -> Optional.of("{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"alice\",\"attributes\":" + told + "}");
      assertThat(branch.typed("alice@home.example", "1")).as(told).isEqualTo(new Refused(Reason.HOME_ANSWER_INVALID));
    }
    home.lies =
        path -> Optional.of("{\"result\":\"accept\",\"sub\":\"x\",\"name\":\"alice\",\"attributes\":{\"roles\":[\"root\"],\"mail\":[\"m\"]}}");
    assertThat(branch.typed("alice@home.example", "1"))
        .isInstanceOfSatisfying(
            Accepted.class,
            in -> {
              assertThat(in.person().attributes()).isEmpty();
              assertThat(in.person().roles()).containsExactly("visitor");
            });
  }
}
