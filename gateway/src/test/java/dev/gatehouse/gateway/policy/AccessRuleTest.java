package dev.gatehouse.gateway.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.GatewayConfig;
import dev.gatehouse.common.realm.GatewayConfig.Access;
import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.PolicyConfig;
import dev.gatehouse.common.realm.PolicyConfig.Condition;
import dev.gatehouse.common.realm.PolicyConfig.Effect;
import dev.gatehouse.common.realm.PolicyConfig.Rule;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.session.Lifetime;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.LocalAccount;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class AccessRuleTest {

  private static final String IDP = "https://idp.example";
  private static final String MFA = "https://refeds.org/profile/mfa";
  private static final AccessRule RULE =
      AccessRule.of(
          "demo",
          new RouteConfig(
              "vault", new GatewayConfig.Match(Set.of("app.example"), "/vault"), URI.create("http://127.0.0.1:9000"),
              new Access.RequiresRole(Set.of("manager")), Map.of(),
              GatewayConfig.SignOn.form(false, Optional.of(IDP), List.of("urn:x", MFA), Optional.empty())));

  private static Decision decide(String identityProvider, String role, Optional<String> classRef) {
    return decide(RULE, identityProvider, role, classRef);
  }

  private static Decision decide(AccessRule rule, String identityProvider, String role, Optional<String> classRef) {
    AppSession session =
        new AppSession(
            new SessionId("s"), "demo", new Lifetime(Instant.EPOCH, Instant.MAX, Instant.MAX),
            new LocalAccount(new PersonId("p"), "alice", List.of(role), List.of(), Map.of()),
            new AppSession.Login(identityProvider, NameId.of("n", NameId.UNSPECIFIED), Optional.empty(), classRef, Instant.EPOCH));
    return rule.decide(new Subject.Person(session), TestFacts.get("/vault"));
  }

  private static void challenged(Decision decision, AuthnRequirement need) {
    assertThat(decision)
        .isInstanceOfSatisfying(Decision.Challenge.class, challenge -> assertThat(challenge.need()).isEqualTo(need));
  }

  @Test
  void nobodyHasToLogIn() {
    challenged(RULE.decide(Subject.ANONYMOUS, TestFacts.get("/vault")), new AuthnRequirement.Login());
  }

  @Test
  void aSessionOfAnotherProviderHasToLogInAtTheRoutes() {
    challenged(decide("https://other.example", "manager", Optional.of(MFA)), new AuthnRequirement.LoginAt(IDP));
  }

  @Test
  void aWeakSessionHasToStepUp() {
    AuthnRequirement stepUp = new AuthnRequirement.StepUp(List.of("urn:x", MFA));
    challenged(decide(IDP, "manager", Optional.of("urn:weak")), stepUp);
    challenged(decide(IDP, "manager", Optional.empty()), stepUp);
  }

  @Test
  void aRouteForPasskeysTakesNothingLess() {
    String passkey = "http://schemas.openid.net/pape/policies/2007/06/phishing-resistant";
    AccessRule rule =
        AccessRule.of(
            "demo",
            new RouteConfig(
                "vault", new GatewayConfig.Match(Set.of("app.example"), "/vault"), URI.create("http://127.0.0.1:9000"),
                new Access.RequiresRole(Set.of("manager")), Map.of(),
                GatewayConfig.SignOn.form(false, Optional.of(IDP), List.of(passkey), Optional.empty())));
    AuthnRequirement stepUp = new AuthnRequirement.StepUp(List.of(passkey));
    for (String less : List.of(MFA, "https://gatehouse.dev/ac/token", "urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport")) {
      challenged(decide(rule, IDP, "manager", Optional.of(less)), stepUp);
    }
    assertThat(decide(rule, IDP, "manager", Optional.of(passkey))).isInstanceOf(Decision.Permit.class);
  }

  @Test
  void whoLacksTheRoleIsDeniedAndNotSentToStepUp() {
    assertThat(decide(IDP, "guest", Optional.of("urn:weak")))
        .isInstanceOfSatisfying(
            Decision.Deny.class, deny -> assertThat(deny.reasons()).containsExactly(Reason.ROLE_MISSING));
  }

  /** OpenLDAP's overlay spells a group as the client did that changed it last, and without {@code groups.roles} it is a role, too. */
  @Test
  void rolesAndGroupsAreThoseOfTheDirectoryHoweverItSpellsThem() {
    assertThat(decide(IDP, "Manager", Optional.of(MFA))).isInstanceOf(Decision.Permit.class);
    String dn = "cn=suspended,ou=groups,dc=example,dc=org";
    for (Condition excluded :
        List.of(
            new Condition.AnyGroup(Set.of("suspended")), new Condition.AllGroups(Set.of("suspended")),
            new Condition.AnyRole(Set.of("suspended")), new Condition.AllRoles(Set.of("suspended")), new Condition.AnyGroup(Set.of(dn)))) {
      AccessRule rule = excluding(excluded);
      for (String spelling : List.of("suspended", "Suspended", "SUSPENDED ", dn, "CN=Suspended, OU=Groups, DC=example, DC=org")) {
        boolean isDn = excluded.equals(new Condition.AnyGroup(Set.of(dn)));
        Decision decision = rule.decide(new Subject.Person(member(spelling)), TestFacts.get("/vault"));
        assertThat(decision)
            .as(excluded + " " + spelling)
            .isInstanceOf(spelling.contains("=") == isDn ? Decision.Deny.class : Decision.Permit.class);
      }
      assertThat(rule.decide(new Subject.Person(member("others")), TestFacts.get("/vault"))).isInstanceOf(Decision.Permit.class);
    }
  }

  private static AccessRule excluding(Condition condition) {
    RouteConfig route =
        new RouteConfig(
            "vault", new GatewayConfig.Match(Set.of("app.example"), "/vault"), URI.create("http://127.0.0.1:9000"),
            new Access.Protected(), Map.of(), GatewayConfig.SignOn.USUAL);
    List<Rule> rules = List.of(new Rule("out", Effect.DENY, List.of(condition)), new Rule("in", Effect.PERMIT, List.of()));
    return AccessRule.of("demo", route.withPolicies(List.of(new PolicyConfig("p", rules))));
  }

  private static AppSession member(String name) {
    return new AppSession(
        new SessionId("s"), "demo", new Lifetime(Instant.EPOCH, Instant.MAX, Instant.MAX),
        new LocalAccount(new PersonId("p"), "alice", List.of("staff", name), List.of("staff", name), Map.of()),
        new AppSession.Login(IDP, NameId.of("n", NameId.UNSPECIFIED), Optional.empty(), Optional.empty(), Instant.EPOCH));
  }

  @Test
  void whoHasAllMayCome() {
    assertThat(decide(IDP, "manager", Optional.of(MFA))).isInstanceOf(Decision.Permit.class);
  }
}
