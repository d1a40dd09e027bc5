package dev.gatehouse.common.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AssertionConsumerService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IndexedEndpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SsoDescriptor;
import dev.gatehouse.common.saml.metadata.UiInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A partner chooses its endpoints, but not in the clear and not on this machine. */
class EndpointRuleTest {

  private static final String GOOD = "https://partner.example/saml";
  private static final Realm PUBLIC =
      TestRealms.change(TestRealms.demo()).idpUrl("https://login.example.org").spUrls("https://app.example.org").realm();

  private static PartnerMetadata metadata(String location) {
    List<Endpoint> endpoints =
        List.of(
            new Endpoint(Binding.SOAP, location, Optional.empty()),
            new Endpoint(Binding.REDIRECT, GOOD, Optional.of(location)),
            new Endpoint(Binding.POST, GOOD, Optional.empty()));
    SsoDescriptor sso =
        new SsoDescriptor(
            endpoints,
            List.of(new IndexedEndpoint(0, true, Binding.SOAP, location), new IndexedEndpoint(1, false, Binding.SOAP, GOOD)),
            endpoints,
            List.of());
    return new PartnerMetadata(
        "https://partner.example",
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(new IdpRole(List.of(), List.of(), false, endpoints, sso, List.of(), UiInfo.none())),
        Optional.of(
            new SpRole(
                List.of(),
                List.of(),
                false,
                false,
                List.of(
                    new AssertionConsumerService(0, true, Binding.POST, location),
                    new AssertionConsumerService(1, false, Binding.POST, GOOD)),
                sso,
                List.of(),
                UiInfo.none())),
        List.of("a note"));
  }

  private static PartnerConfig partner(boolean plainHttp) {
    PartnerConfig usual = TestRealms.partner("https://partner.example", "https://partner.example/metadata", Map.of());
    return new PartnerConfig(
        usual.entityId(), usual.displayName(), usual.metadata(), usual.release(), usual.nameId(), usual.logout(),
        usual.asServiceProvider(), usual.asIdentityProvider(), plainHttp);
  }

  private static void onlyGood(List<Endpoint> endpoints) {
    assertThat(endpoints).containsExactly(new Endpoint(Binding.POST, GOOD, Optional.empty()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://partner.example/saml",
        "HTTP://partner.example/saml",
        "http://10.0.0.1/saml",
        "http://localhost:8081/admin/v1/realms",
        "http://admin.localhost/",
        "http://127.0.0.1:6379/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "https://localhost:8443/",
        "https://127.7.7.7/"
      })
  void endpointsInTheClearOrOnThisMachineAreIgnored(String location) {
    PartnerMetadata counting = EndpointRule.of(PUBLIC, partner(false)).applied(metadata(location));
    IdpRole idp = counting.idp().orElseThrow();
    SpRole sp = counting.sp().orElseThrow();
    onlyGood(idp.singleSignOn());
    for (SsoDescriptor sso : List.of(idp.sso(), sp.sso())) {
      onlyGood(sso.singleLogout());
      onlyGood(sso.manageNameId());
      assertThat(sso.artifactResolution()).containsExactly(new IndexedEndpoint(1, false, Binding.SOAP, GOOD));
    }
    assertThat(sp.assertionConsumers()).containsExactly(new AssertionConsumerService(1, false, Binding.POST, GOOD));
    assertThat(counting.notes()).hasSize(2).contains("a note").last().asString().contains("plainHttp", location.split("/")[2]);
    PartnerMetadata all = metadata(location);
    assertThat(EndpointRule.of(PUBLIC, partner(true)).applied(all)).as("as configured").isSameAs(all);
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://partner.example/saml", "HTTPS://10.0.0.1:8443/saml", "https://localhost.example/"})
  void othersCount(String location) {
    PartnerMetadata all = metadata(location);
    assertThat(EndpointRule.of(PUBLIC, partner(false)).applied(all)).isSameAs(all);
  }

  @Test
  void aRealmOnThisMachineHasItsPartnersHere() {
    PartnerMetadata here = metadata("http://sp.localhost:9000/acs");
    assertThat(EndpointRule.of(TestRealms.demo(), partner(false)).applied(here)).isSameAs(here);
    PartnerMetadata elsewhere = metadata("http://partner.example/acs");
    assertThat(EndpointRule.of(TestRealms.demo(), partner(false)).applied(elsewhere).notes()).hasSize(2);
    Realm both = TestRealms.change(TestRealms.demo()).spUrls("http://app.localhost:8000", "https://app.example.org").realm();
    assertThat(EndpointRule.of(both, partner(false)).applied(here).notes()).as("reached from elsewhere, too").hasSize(2);
  }
}
