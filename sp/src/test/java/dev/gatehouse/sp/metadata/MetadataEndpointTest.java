package dev.gatehouse.sp.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.realm.BrandConfig;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.DefaultConsumer;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.AssertionConsumerService;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IndexedEndpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.RequestedAttribute;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.SpRole;
import dev.gatehouse.sp.SpWorld;
import dev.gatehouse.sp.TestBrowser;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class MetadataEndpointTest {

  private final SpWorld world = new SpWorld();
  private final TestBrowser partner = new TestBrowser(world);

  private PartnerMetadata published(EdgeReply reply) {
    Result<PartnerMetadata, SamlRefusal> reading =
        new CanonicalMetadataCodec()
            .read(
                reply.body(),
                SamlFixtures.SP,
                Optional.of(SamlFixtures.spKey().certificate()),
                world.time.instant());
    assertThat(reading).isInstanceOf(Result.Accepted.class);
    return ((Result.Accepted<PartnerMetadata, SamlRefusal>) reading).value();
  }

  @Test
  void saysWhatAPartnerNeedsSignedAndForTwoWeeks() {
    EdgeReply reply = partner.fetch("GET", SamlFixtures.SP);

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.headers().first("Content-Type")).contains("application/samlmetadata+xml");
    PartnerMetadata metadata = published(reply);
    assertThat(metadata.validUntil()).contains(SamlFixtures.NOW.plus(Duration.ofDays(14)));
    SpRole role = metadata.sp().orElseThrow();
    assertThat(role.authnRequestsSigned()).isTrue();
    assertThat(role.wantAssertionsSigned()).isTrue();
    assertThat(role.signing()).containsExactly(SamlFixtures.spKey().certificate());
    assertThat(role.encryption())
        .extracting(EncryptionKey::certificate)
        .containsExactly(SamlFixtures.spKey().certificate());
    assertThat(DefaultConsumer.of(role.assertionConsumers())).hasValueSatisfying(
        acs -> {
          assertThat(acs.location()).isEqualTo(SamlFixtures.SP_ACS);
          assertThat(acs.binding()).isEqualTo(Binding.POST);
        });
    assertThat(role.assertionConsumers())
        .contains(new AssertionConsumerService(1, false, Binding.ARTIFACT, SamlFixtures.SP_ACS));
    assertThat(role.sso().artifactResolution())
        .containsExactly(
            new IndexedEndpoint(0, true, Binding.SOAP, "https://app.example/.gatehouse/saml/artifact"));
    assertThat(role.encryption()).hasSize(1);
    assertThat(role.sso().singleLogout()).extracting(Endpoint::binding)
        .containsExactly(Binding.REDIRECT, Binding.POST, Binding.SOAP);
  }

  @Test
  void listsNoKeyForEncryptionWhereTheRealmPublishesNone() {
    SpWorld plain = new SpWorld(change -> change.withoutPublishedEncryption());
    SpRole role = published(new TestBrowser(plain).fetch("GET", SamlFixtures.SP)).sp().orElseThrow();
    assertThat(role.encryption()).isEmpty();
    assertThat(role.signing()).isNotEmpty();
  }

  @Test
  void isSignedAgainAfterAnHourAndNotBefore() {
    byte[] first = partner.fetch("GET", SamlFixtures.SP).body();
    world.time.advance(Duration.ofMinutes(59));
    assertThat(partner.fetch("GET", SamlFixtures.SP).body()).isEqualTo(first);

    world.time.advance(Duration.ofMinutes(1));

    assertThat(published(partner.fetch("GET", SamlFixtures.SP)).validUntil())
        .contains(SamlFixtures.NOW.plus(Duration.ofDays(14)).plus(Duration.ofHours(1)));
  }

  @Test
  void saysWhichAttributesAreWantedAndWhatPeopleShouldKnow() {
    BrandConfig brand =
        new BrandConfig(
            "Library", "#1f5fa8", Optional.empty(), Optional.of("Books for all"),
            Optional.of(URI.create("https://app.example/privacy")), Optional.empty());
    SpWorld asking = new SpWorld(change -> change.brand(brand).sp(MetadataEndpointTest::asking));

    SpRole role = published(new TestBrowser(asking).fetch("GET", SamlFixtures.SP)).sp().orElseThrow();

    assertThat(role.attributeConsumer(Optional.of(0)))
        .hasValueSatisfying(
            service ->
                assertThat(service.requested())
                    .extracting(RequestedAttribute::name, RequestedAttribute::required)
                    .containsExactly(tuple("mail", true), tuple("cn", false)));
    assertThat(role.ui().names()).containsEntry("en", "Library");
    assertThat(role.ui().descriptions()).containsEntry("en", "Books for all");
    assertThat(role.ui().privacyUrls()).containsEntry("en", "https://app.example/privacy");
    TestBrowser browser = new TestBrowser(asking);
    assertThat(asking.authnRequest(browser.open(SpWorld.HOME + "/")).attributeConsumingServiceIndex()).contains(0);
    assertThat(world.authnRequest(partner.open(SpWorld.HOME + "/")).attributeConsumingServiceIndex()).isEmpty();
  }

  private static SpConfig asking(SpConfig sp) {
    return new SpConfig(
        sp.publicUrl(), sp.otherOrigins(), sp.identityProviders(), sp.unsolicited(), sp.session(), sp.subject(),
        List.of(new SpConfig.RequestedAttribute("mail", true), new SpConfig.RequestedAttribute("cn", false)),
        sp.artifactNodes());
  }
}
