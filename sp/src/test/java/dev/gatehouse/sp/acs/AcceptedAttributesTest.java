package dev.gatehouse.sp.acs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.message.Assertion;
import dev.gatehouse.common.saml.message.Assertion.AuthnStatement;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.sp.Change;
import dev.gatehouse.sp.edge.ProviderTrust;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class AcceptedAttributesTest {

  private static final String EPPN_OID = "urn:oid:1.3.6.1.4.1.5923.1.1.1.6";

  private static final Set<String> RIGHTS = Set.of("roles", "groups");

  private final Counter count = new SimpleMeterRegistry().counter("dropped");
  private final DroppedValues dropped = new DroppedValues(count);

  private List<SamlAttribute> accepted(
      Map<String, List<String>> accept, List<String> scopes, SamlAttribute... attributes) {
    Set<String> owned = new HashSet<>(scopes);
    owned.add("configured.example");
    return new AcceptedAttributes(SamlFixtures.IDP, ProviderTrust.of(true, accept), RIGHTS, owned, dropped)
        .in(Change.of(SamlFixtures.assertion("_a", Optional.empty())).attributes(List.of(attributes)).assertion())
        .attributes();
  }

  private static SamlAttribute attribute(String name, String... values) {
    return SamlAttribute.basic(name, List.of(values));
  }

  @Test
  void oidsGetTheirPlainNamesAndTheSameAttributeTwiceIsOne() {
    assertThat(
            accepted(
                Map.of(),
                List.of(),
                attribute("urn:oid:0.9.2342.19200300.100.1.1", "alice"),
                attribute("uid", "alice"),
                attribute("urn:oid:9.9.9", "x")))
        .containsExactly(attribute("uid", "alice"), attribute("urn:oid:9.9.9", "x"));
  }

  @Test
  void everyOwnedScopeCounts() {
    SamlAttribute sent =
        attribute("eduPersonScopedAffiliation", "staff@one.example", "staff@CONFIGURED.example", "x@other.example");

    assertThat(accepted(Map.of(), List.of("one.example"), sent))
        .containsExactly(attribute("eduPersonScopedAffiliation", "staff@one.example", "staff@CONFIGURED.example"));
    assertThat(count.count()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "root@other.example", "root", "@one.example", "root@one.example.evil.example", "root@sub.one.example",
        "root@other.example@one.example", "root@one.example ", "root@", "root@\uff4fne.example", "r\uff4fot@one.example",
        "root\uff20other.example@one.example", "root@\u00f6ne.example", "ro\u00adot@one.example"
      })
  void aScopeThatItDoesNotOwnIsDroppedAndTheAttributeStaysEmpty(String value) {
    assertThat(accepted(Map.of(), List.of("one.example"), attribute(EPPN_OID, value)))
        .containsExactly(attribute("eduPersonPrincipalName"));
    assertThat(count.count()).isEqualTo(1);
  }

  @Test
  void withoutAnyScopeOfThatProviderNoScopedValueCounts() {
    assertThat(accepted(Map.of(), List.of(), attribute("subject-id", "a@one.example")))
        .containsExactly(attribute("subject-id"));
  }

  @Test
  void aTargetedIdOfAnotherProviderIsDropped() {
    SamlAttribute sent =
        attribute("eduPersonTargetedID", SamlFixtures.IDP + "!sp!1", "https://other.example!sp!1");

    assertThat(accepted(Map.of(), List.of(), sent))
        .containsExactly(attribute("eduPersonTargetedID", SamlFixtures.IDP + "!sp!1"));
  }

  @Test
  void configuredValuesAreTheOnlyOnesThatCount() {
    assertThat(
            accepted(
                Map.of(
                    "roles", List.of("staff", "app-*"),
                    "urn:oid:0.9.2342.19200300.100.1.3", List.of("*@one.example")),
                List.of(),
                attribute("roles", "staff", "Staff", "app-reader", "admin"),
                attribute("mail", "a@one.example", "a@one.example.evil.example"),
                attribute("groups", "any")))
        .containsExactly(
            attribute("roles", "staff", "app-reader"), attribute("mail", "a@one.example"), attribute("groups", "any"));
    assertThat(count.count()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource({
    "*, anything, true", "a*, ab, true", "a*, ba, false", "*a*, bab, true", "a*a, a, false", "a*a, aa, true",
    "a*b*c, a1b2c, true", "a*b*c, acb, false", "a.c, abc, false", "**, x, true", "a*bc*c, abc, false", "'', '', true"
  })
  void aStarStandsForAnyRunOfCharacters(String pattern, String value, boolean matches) {
    assertThat(ProviderTrust.of(false, Map.of("mail", List.of(pattern))).takes("mail", value)).isEqualTo(matches);
  }

  private Assertion foreign(Map<String, List<String>> accept, SamlAttribute... attributes) {
    return new AcceptedAttributes(SamlFixtures.IDP, ProviderTrust.of(false, accept), RIGHTS, Set.of(), dropped)
        .in(Change.of(SamlFixtures.assertion("_a", Optional.empty())).attributes(List.of(attributes)).assertion());
  }

  @Test
  void rolesAndGroupsOfAnotherProviderCountOnlyWhereTheyAreAccepted() {
    SamlAttribute[] sent = {
      attribute("roles", "manager"), attribute("groups", "staff", "board"), attribute("mail", "a@b.example")
    };

    assertThat(foreign(Map.of(), sent).attributes())
        .containsExactly(attribute("roles"), attribute("groups"), attribute("mail", "a@b.example"));
    assertThat(foreign(Map.of("groups", List.of("staff")), sent).attributes())
        .containsExactly(attribute("roles"), attribute("groups", "staff"), attribute("mail", "a@b.example"));
  }

  @Test
  void theLoginClassOfAnotherProviderCountsOnlyWhereItIsAccepted() {
    String asserted =
        SamlFixtures.assertion("_a", Optional.empty()).authnStatement().flatMap(AuthnStatement::authnContextClassRef).orElseThrow();

    assertThat(foreign(Map.of()).authnStatement().orElseThrow().authnContextClassRef()).isEmpty();
    assertThat(foreign(Map.of("authnContext", List.of("urn:other"))).authnStatement().orElseThrow().authnContextClassRef())
        .isEmpty();
    assertThat(foreign(Map.of("authnContext", List.of(asserted))).authnStatement().orElseThrow().authnContextClassRef())
        .contains(asserted);
  }
}
