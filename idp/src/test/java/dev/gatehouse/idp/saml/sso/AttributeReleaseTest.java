package dev.gatehouse.idp.saml.sso;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.Release;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AttributeConsumingService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.RequestedAttribute;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class AttributeReleaseTest {

  private static final String EPPN = "urn:oid:1.3.6.1.4.1.5923.1.1.1.6";

  private final Person person =
      new Person(
          new PersonId("a11ce"),
          "alice",
          "uid=alice,dc=example,dc=org",
          Map.of("uid", List.of("alice"), "mail", List.of("a@x", "b@x"), "empty", List.of()),
          List.of("staff", "admins"),
          Set.of("manager", "employee"));

  @Test
  void nothingIsToldThatIsNotListed() {
    assertThat(told(Map.of())).isEmpty();
    assertThat(told(Map.of("x", Release.of("nothingLikeIt"), "y", Release.of("empty")))).isEmpty();
  }

  @Test
  void plainNamesAreBasicOnes() {
    assertThat(told(Map.of("mail", Release.of("mail"))))
        .containsExactly(
            new SamlAttribute("mail", SamlAttribute.BASIC, Optional.empty(), List.of("a@x", "b@x")));
  }

  @Test
  void urisAreSentAsSuchWithANameForPeople() {
    assertThat(
            told(
                Map.of(
                    "urn:oid:0.9.2342.19200300.100.1.1", Release.of("uid"),
                    "urn:example:login", Release.of("uid"),
                    "https://example.org/login", Release.of("uid"))))
        .extracting(SamlAttribute::nameFormat, a -> a.friendlyName().orElse(""))
        .containsOnly(org.assertj.core.groups.Tuple.tuple(SamlAttribute.URI, "uid"));
    assertThat(told(Map.of(EPPN, scoped("uid")))).first().extracting(a -> a.friendlyName().orElse(""))
        .isEqualTo("eduPersonPrincipalName");
  }

  @Test
  void scopedValuesHaveTheScopeOfTheConfigurationAndNoOther() {
    assertThat(values(Map.of(EPPN, scoped("uid")))).containsExactly("alice@example.org");
    assertThat(values(Map.of("groups", scoped("groups")))).containsExactly("staff@example.org", "admins@example.org");
    assertThat(told(Map.of("mail", scoped("mail")))).as("values with a scope of their own").isEmpty();
  }

  @Test
  void rolesAndGroupsAreSourcesToo() {
    assertThat(values(Map.of("r", Release.of("roles")))).containsExactly("employee", "manager");
    assertThat(values(Map.of("g", Release.of("groups")))).containsExactly("staff", "admins");
  }

  @Test
  void whatIsAskedForNarrowsAndNeverWidens() {
    Map<String, Release> release = Map.of("uid", Release.of("uid"), "mail", Release.of("mail"));
    AttributeConsumingService wishes = service(wish("mail", "b@x"), wish("groups"));
    assertThat(told(release, wishes)).extracting(SamlAttribute::name).containsExactly("mail");
    assertThat(told(release, wishes).getFirst().values()).containsExactly("b@x");
    assertThat(told(release, service(wish("mail", "c@x")))).isEmpty();
    assertThat(told(release, service())).isEmpty();
  }

  @Test
  void whatIsRequiredAndNotToldIsMissing() {
    AttributeConsumingService wishes =
        service(
            new RequestedAttribute("mail", SamlAttribute.BASIC, Optional.empty(), true, List.of()),
            new RequestedAttribute("title", SamlAttribute.BASIC, Optional.empty(), true, List.of()),
            wish("sn"));
    List<SamlAttribute> told = told(Map.of("mail", Release.of("mail")), wishes);
    assertThat(AttributeRelease.missing(told, Optional.of(wishes)))
        .extracting(RequestedAttribute::name)
        .containsExactly("title");
    assertThat(AttributeRelease.missing(told, Optional.empty())).isEmpty();
  }

  private List<String> values(Map<String, Release> release) {
    return told(release).getFirst().values();
  }

  private List<SamlAttribute> told(Map<String, Release> release) {
    return release(release).of(person, Optional.empty());
  }

  private List<SamlAttribute> told(Map<String, Release> release, AttributeConsumingService asked) {
    return release(release).of(person, Optional.of(asked));
  }

  private static AttributeRelease release(Map<String, Release> release) {
    PartnerConfig c = TestRealms.partner("https://app.example", "https://app.example", Map.of());
    return AttributeRelease.of(
        new PartnerConfig(
            c.entityId(), c.displayName(), c.metadata(), release, c.nameId(), c.logout(), c.asServiceProvider(),
            c.asIdentityProvider(), false));
  }

  private static Release scoped(String source) {
    return new Release(source, Optional.of("example.org"));
  }

  private static AttributeConsumingService service(RequestedAttribute... wishes) {
    return new AttributeConsumingService(0, true, Map.of(), List.of(wishes));
  }

  private static RequestedAttribute wish(String name, String... values) {
    return new RequestedAttribute(name, SamlAttribute.UNSPECIFIED, Optional.empty(), false, List.of(values));
  }
}
