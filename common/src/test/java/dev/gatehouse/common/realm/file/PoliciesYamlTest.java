package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Effect;
import dev.gatehouse.common.realm.PolicyConfig.Values;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every key of policies, rules and conditions. */
class PoliciesYamlTest {

  @TempDir Path path;

  @Test
  void everyConditionOfARule() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.demo(
        ConfigurationFolder.MINIMAL.replace("routes:\n", """
        policies:
          - name: all
            rules:
              - name: first
                permit:
                  roles: [a, b]
                  allRoles: c
                  groups: [d]
                  allGroups: [e]
                  user: ["{account}", al]
                  attributes: {dept: [hr], owns: "{account}"}
                  present: mail
                  addresses: [10.0.0.0/8]
                  time: {days: [sat, sun], from: "22:00", to: "06:00", zone: Europe/Berlin, notBefore: 2027-01-01, notAfter: 2027-01-31}
                  methods: [GET]
                  contract: mfa
                  authnContext: urn:x
                  when: "'a' in person.roles"
        routes:
          - path: /accounts/{account}/
            methods: [GET, POST]
            upstream: http://127.0.0.1:9001
            policies: all
            rules:
              - deny: {methods: DELETE}
              - permit: everybody
        """));

    RouteConfig route = folder.realm().gateway().routes().getFirst();
    List<PolicyConfig> policies = route.authorization().policies();
    assertThat(route.match().methods()).containsExactlyInAnyOrder("GET", "POST");
    assertThat(route.name()).isEqualTo("GET,POST /accounts/{account}/");
    assertThat(policies).extracting(PolicyConfig::name).containsExactly("all", route.name());
    assertThat(policies.getLast().rules()).extracting(PolicyConfig.Rule::effect).containsExactly(Effect.DENY, Effect.PERMIT);
    assertThat(policies.getLast().rules()).extracting(PolicyConfig.Rule::name).containsExactly("rule 1", "rule 2");
    assertThat(policies.getLast().rules().getLast().conditions()).isEmpty();
    PolicyConfig.Rule first = policies.getFirst().rules().getFirst();
    assertThat(first.name()).isEqualTo("first");
    assertThat(first.conditions().getLast()).hasToString("When[expression='a' in person.roles]");
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    List<String> strong = new java.util.ArrayList<>(RuleYaml.NamedContract.MFA.classRefs());
    strong.add("urn:x");
    assertThat(first.conditions())
        .contains(
            new Condition.AnyRole(Set.of("a", "b")), new Condition.AllRoles(Set.of("c")), new Condition.AnyGroup(Set.of("d")),
            new Condition.AllGroups(Set.of("e")), new Condition.User(new Values(Set.of("al"), Set.of("account"))),
            new Condition.Attribute("dept", new Values(Set.of("hr"), Set.of())),
            new Condition.Attribute("owns", new Values(Set.of(), Set.of("account"))), new Condition.Present("mail"),
            new Condition.Client(List.of(new Cidr(InetAddress.ofLiteral("10.0.0.0"), 8))),
            new Condition.Weekly(
                Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY), LocalTime.of(22, 0), LocalTime.of(6, 0), berlin),
            new Condition.Dates(
                Optional.of(Instant.parse("2026-12-31T23:00:00Z")), Optional.of(Instant.parse("2027-01-31T23:00:00Z"))),
            new Condition.Methods(Set.of("GET")), new Condition.Login(strong));
  }

  @Test
  void aPolicyForPasskeysNamesTheirClassAlone() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    folder.demo(
        ConfigurationFolder.MINIMAL.replace("routes:\n", """
        policies:
          - name: strong
            rules:
              - permit: {contract: passkey}
        routes:
          - path: /vault/
            upstream: http://127.0.0.1:9001
            policies: strong
        """));
    assertThat(folder.realm().gateway().routes().getFirst().authorization().policies().getFirst().rules().getFirst().conditions())
        .containsExactly(new Condition.Login(List.of("http://schemas.openid.net/pape/policies/2007/06/phishing-resistant")));
  }
}
