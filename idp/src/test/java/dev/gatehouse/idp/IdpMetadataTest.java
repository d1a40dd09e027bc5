package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.BrandConfig;
import dev.gatehouse.common.realm.PartnerConfig;
import dev.gatehouse.common.realm.PartnerConfig.Release;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.encryption.EncryptionKey;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.metadata.CanonicalMetadataCodec;
import dev.gatehouse.common.saml.metadata.PartnerMetadata;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.Endpoint;
import dev.gatehouse.common.saml.metadata.PartnerMetadata.IdpRole;
import dev.gatehouse.common.saml.metadata.UiInfo;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Our identity provider's metadata: it lists exactly the endpoints that answer. */
class IdpMetadataTest {

  private static final String LOGO =
      "data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAxNiA4Ii8+";

  @Test
  void endpointsAndKeys() {
    IdpRole role = published(new Idp());

    assertThat(role.encryption())
        .extracting(EncryptionKey::certificate)
        .containsExactly(SamlFixtures.idpKey().certificate());
    assertThat(role.singleSignOn())
        .extracting(Endpoint::binding)
        .containsExactly(Binding.REDIRECT, Binding.POST, Binding.ARTIFACT);
    assertThat(role.sso().manageNameId())
        .containsExactly(
            new Endpoint(Binding.REDIRECT, Idp.ENTITY + "/saml/nameid", Optional.empty()),
            new Endpoint(Binding.POST, Idp.ENTITY + "/saml/nameid", Optional.empty()),
            new Endpoint(Binding.SOAP, Idp.ENTITY + "/saml/nameid/soap", Optional.empty()));
    assertThat(role.sso().artifactResolution()).extracting("binding").containsExactly(Binding.SOAP);
  }

  @Test
  void wantsSignedRequestsAsConfigured() {
    assertThat(published(new Idp()).wantAuthnRequestsSigned()).isFalse();
    assertThat(published(new Idp(TestRealms.change(TestRealms.demo()).signedRequests().realm())).wantAuthnRequestsSigned())
        .isTrue();
  }

  @Test
  void listsNoKeyForEncryptionWhereTheRealmPublishesNone() {
    Realm realm = TestRealms.change(TestRealms.demo()).withoutPublishedEncryption().realm();
    assertThat(published(new Idp(realm)).encryption()).isEmpty();
    assertThat(published(new Idp(realm)).signing()).isNotEmpty();
  }

  @Test
  void theBrandAndTheScopesThatAreReleased() {
    PartnerConfig plain = TestRealms.partner(Idp.APP, Idp.APP, Map.of());
    PartnerConfig scoped =
        new PartnerConfig(
            plain.entityId(), plain.displayName(), plain.metadata(),
            Map.of("eppn", new Release("uid", Optional.of("example.org"))), plain.nameId(), plain.logout(),
            plain.asServiceProvider(), plain.asIdentityProvider(), false);
    BrandConfig brand =
        new BrandConfig(
            "Library", "#1f5fa8", Optional.of(LOGO), Optional.of("Books for all"),
            Optional.of(URI.create("https://library.example/privacy")), Optional.empty());
    Realm realm = TestRealms.change(TestRealms.demo()).brand(brand).partners(scoped).realm();

    IdpRole role = published(new Idp(realm));

    assertThat(role.scopes()).containsExactly("example.org");
    assertThat(role.ui())
        .isEqualTo(
            new UiInfo(
                Map.of("en", "Library"), Map.of("en", "Books for all"),
                List.of(new UiInfo.Logo(LOGO, 16, 8, Optional.empty())),
                Map.of("en", "https://library.example/privacy"), Map.of()));
  }

  private static IdpRole published(Idp idp) {
    var reading =
        new CanonicalMetadataCodec()
            .read(
                idp.browser().get("/realms/demo/saml/metadata").body(), Idp.ENTITY,
                Optional.of(SamlFixtures.idpKey().certificate()), idp.time.instant());
    return switch (reading) {
      case Result.Accepted(var metadata) -> metadata.idp().orElseThrow();
      case Result.Refused(var refusal) -> throw new AssertionError(refusal.toString());
    };
  }
}
