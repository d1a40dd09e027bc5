package dev.gatehouse.common.saml.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlFixtures;
import dev.gatehouse.common.saml.signature.EnvelopedSignature;
import dev.gatehouse.common.saml.signature.SignatureAlgorithm;
import java.nio.charset.StandardCharsets;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

public class MetadataCodecTest {

  private static final String BINDINGS = "urn:oasis:names:tc:SAML:2.0:bindings:";

  private final MetadataCodec codec = new CanonicalMetadataCodec();

  public static byte[] ourIdp() {
    return new CanonicalMetadataCodec().writeIdp(
        new MetadataCodec.IdpDescriptor(
            SamlFixtures.IDP,
            "Example <IdP>",
            SamlFixtures.NOW.plus(Duration.ofDays(7)),
            Duration.ofHours(4),
            List.of(SamlFixtures.publicHalf(SamlFixtures.idpKey()), SamlFixtures.publicHalf(SamlFixtures.idpP256Key())),
            List.of(new PartnerMetadata.Endpoint(Binding.REDIRECT, SamlFixtures.IDP_SSO, Optional.empty())),
            List.of(new PartnerMetadata.Endpoint(
                Binding.POST, SamlFixtures.IDP_SLO, Optional.of(SamlFixtures.IDP_SLO + "/r"))),
            List.of("urn:oasis:names:tc:SAML:2.0:nameid-format:transient")),
        SamlFixtures.idpKey());
  }

  private byte[] ourSp() {
    return codec.writeSp(
        new MetadataCodec.SpDescriptor(
            SamlFixtures.SP,
            "Example app",
            SamlFixtures.NOW.plus(Duration.ofDays(7)),
            Duration.ofHours(4),
            List.of(SamlFixtures.publicHalf(SamlFixtures.spKey())),
            List.of(
                new PartnerMetadata.AssertionConsumerService(0, true, Binding.POST, SamlFixtures.SP_ACS),
                new PartnerMetadata.AssertionConsumerService(1, false, Binding.ARTIFACT, SamlFixtures.SP_ACS)),
            List.of(new PartnerMetadata.Endpoint(Binding.REDIRECT, SamlFixtures.SP_SLO, Optional.empty())),
            List.of()),
        SamlFixtures.spKey());
  }

  @Test
  void readsOurIdpBack() {
    var metadata =
        accepted(
            codec.read(ourIdp(), SamlFixtures.IDP, Optional.of(SamlFixtures.idpKey().certificate()), SamlFixtures.NOW));

    assertThat(metadata.validUntil()).contains(SamlFixtures.NOW.plus(Duration.ofDays(7)));
    assertThat(metadata.cacheDuration()).contains(Duration.ofHours(4));
    assertThat(metadata.displayName()).contains("Example <IdP>");
    assertThat(metadata.sp()).isEmpty();
    var idp = metadata.idp().orElseThrow();
    assertThat(idp.signing())
        .containsExactly(SamlFixtures.idpKey().certificate(), SamlFixtures.idpP256Key().certificate());
    assertThat(idp.wantAuthnRequestsSigned()).isFalse();
    assertThat(idp.singleSignOn().getFirst().location()).isEqualTo(SamlFixtures.IDP_SSO);
    assertThat(idp.sso().singleLogout().getFirst().locationForResponses()).isEqualTo(SamlFixtures.IDP_SLO + "/r");
    assertThat(idp.sso().nameIdFormats()).containsExactly("urn:oasis:names:tc:SAML:2.0:nameid-format:transient");
  }

  @Test
  void readsOurSpBack() {
    var metadata = accepted(codec.read(ourSp(), SamlFixtures.SP, Optional.empty(), SamlFixtures.NOW));

    var sp = metadata.sp().orElseThrow();
    assertThat(sp.authnRequestsSigned()).isTrue();
    assertThat(sp.wantAssertionsSigned()).isTrue();
    assertThat(sp.assertionConsumers()).hasSize(2);
    assertThat(DefaultConsumer.of(sp.assertionConsumers()).orElseThrow().location()).isEqualTo(SamlFixtures.SP_ACS);
    assertThat(metadata.displayName()).contains("Example app");
  }

  @Test
  void saysWhichAlgorithmsSignaturesMayUse() {
    String document = text(ourIdp());
    for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
      assertThat(document).contains("<alg:SigningMethod").contains("Algorithm=\"" + algorithm.uri() + "\"");
    }
    assertThat(document).contains("MinKeySize=\"2048\"").contains("MinKeySize=\"256\"");
    EnvelopedSignature.DIGEST_METHODS.forEach(digest -> assertThat(document).contains("<alg:DigestMethod").contains(digest));
    assertThat(document).as("SHA-1 is not offered").doesNotContain("sha1\"");
  }

  @Test
  void itsSignatureNamesTheKeyThatMadeIt() throws CertificateEncodingException {
    String certificate = Base64.getEncoder().encodeToString(SamlFixtures.idpKey().certificate().getEncoded());
    assertThat(text(ourIdp()))
        .contains(
            "</ds:SignatureValue><ds:KeyInfo><ds:X509Data><ds:X509Certificate>" + certificate
                + "</ds:X509Certificate></ds:X509Data></ds:KeyInfo></ds:Signature>");
  }

  @Test
  void aKeyThatVerifiesNothingIsNoted() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);
    SigningKey weak =
        SamlFixtures.signingKey(
            KeyAlgorithm.RSA_2048, generator.generateKeyPair(), "weak", SamlFixtures.NOW, SamlFixtures.NOW.plusSeconds(60));
    String weakCertificate = Base64.getEncoder().encodeToString(weak.certificate().getEncoded());
    String strong = Base64.getEncoder().encodeToString(SamlFixtures.spKey().certificate().getEncoded());
    String document = text(ourSp()).replace(strong, weakCertificate);

    assertThat(accepted(codec.read(bytes(document), SamlFixtures.SP, Optional.empty(), SamlFixtures.NOW)).notes())
        .anySatisfy(note -> assertThat(note).contains("RSA of 1024 bits"))
        .anySatisfy(note -> assertThat(note).contains("every signed message of its is refused"));
  }

  @Test
  void theSameDescriptorIsTheSameDocument() {
    assertThat(ourIdp()).isEqualTo(ourIdp());
  }

  /** SECURITY-CASES 21. */
  @Test
  void unsignedWhereACertificateIsConfigured() {
    String unsigned = text(ourIdp()).replaceFirst("<ds:Signature .*?</ds:Signature>", "");
    var certificate = Optional.of(SamlFixtures.idpKey().certificate());

    assertThat(refused(codec.read(bytes(unsigned), SamlFixtures.IDP, certificate, SamlFixtures.NOW)))
        .isEqualTo(Reason.SIGNATURE_MISSING);
  }

  /** SECURITY-CASES 21. */
  @Test
  void signedByAnotherKey() {
    var certificate = Optional.of(SamlFixtures.strangerKey().certificate());

    assertThat(refused(codec.read(ourIdp(), SamlFixtures.IDP, certificate, SamlFixtures.NOW)))
        .isEqualTo(Reason.SIGNATURE_INVALID);
  }

  /** SECURITY-CASES 21. */
  @Test
  void changedAfterSigning() {
    String changed = text(ourIdp()).replace("https://idp.example/realms/demo/saml/sso", "https://evil.example/sso");
    var certificate = Optional.of(SamlFixtures.idpKey().certificate());

    assertThat(refused(codec.read(bytes(changed), SamlFixtures.IDP, certificate, SamlFixtures.NOW)))
        .isEqualTo(Reason.SIGNATURE_INVALID);
  }

  /** SECURITY-CASES 21. */
  @Test
  void expired() {
    Instant later = SamlFixtures.NOW.plus(Duration.ofDays(7));

    assertThat(refused(codec.read(ourIdp(), SamlFixtures.IDP, Optional.empty(), later))).isEqualTo(Reason.EXPIRED);
  }

  @Test
  void ofAnotherEntity() {
    assertThat(refused(codec.read(ourIdp(), "https://other.example/", Optional.empty(), SamlFixtures.NOW)))
        .isEqualTo(Reason.PARTNER_UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "javascript:alert(1)", "JaVaScRiPt:alert(1)", "data:text/html,x", "/relative", "//host/path", "https:opaque",
        "ftp://host/", "https://user@host/", "https://host/#fragment", "", "https://host/ space"
      })
  void endpointsAreAbsoluteHttpUrls(String location) {
    String changed = text(ourIdp()).replace("\"" + SamlFixtures.IDP_SSO + "\"", "\"" + location + "\"");

    assertThat(refused(codec.read(bytes(changed), SamlFixtures.IDP, Optional.empty(), SamlFixtures.NOW)))
        .isEqualTo(Reason.SCHEMA);
  }

  @Test
  void oneEntityOutOfAnAggregate() {
    String aggregate =
        """
        <EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" validUntil="2026-11-22T00:00:00Z"
            cacheDuration="P1DT1H">
        <EntitiesDescriptor>%s</EntitiesDescriptor>%s
        </EntitiesDescriptor>"""
            .formatted(text(ourSp()), text(ourIdp()));

    var idp = accepted(codec.read(bytes(aggregate), SamlFixtures.IDP, Optional.empty(), SamlFixtures.NOW));
    var sp = accepted(codec.read(bytes(aggregate), SamlFixtures.SP, Optional.empty(), SamlFixtures.NOW));

    assertThat(idp.validUntil()).as("the earliest").contains(Instant.parse("2026-11-22T00:00:00Z"));
    assertThat(idp.cacheDuration()).as("the shortest").contains(Duration.ofHours(4));
    assertThat(sp.sp()).isPresent();
  }

  @Test
  void anEntityDescribedTwice() {
    String entity = text(ourIdp());
    String aggregate =
        "<EntitiesDescriptor xmlns='urn:oasis:names:tc:SAML:2.0:metadata'>"
            + entity
            + entity.replaceAll(" ID=\"\\w+\"", "").replaceFirst("<ds:Signature .*?</ds:Signature>", "")
            + "</EntitiesDescriptor>";

    assertThat(refused(codec.read(bytes(aggregate), SamlFixtures.IDP, Optional.empty(), SamlFixtures.NOW)))
        .isEqualTo(Reason.SCHEMA);
  }

  /** As other products write it: both roles, keys without use, organization, unknown bindings, comments, a BOM. */
  @Test
  void metadataOfOthers() throws Exception {
    String certificate =
        java.util.Base64.getMimeEncoder().encodeToString(SamlFixtures.spKey().certificate().getEncoded());
    String document =
        """
        \uFEFF<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <!-- made by hand -->
        <EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="urn:both">
          <Extensions><x:any xmlns:x="urn:x" y="z">text</x:any></Extensions>
          <RoleDescriptor xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:fed="urn:fed" xsi:type="fed:X"
              protocolSupportEnumeration="urn:fed"><fed:Claims/></RoleDescriptor>
          <IDPSSODescriptor WantAuthnRequestsSigned="1"
              protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol urn:oasis:names:tc:SAML:2.0:protocol">
            <KeyDescriptor><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><KeyName>k</KeyName><X509Data>
              <X509Certificate>
        %s
        </X509Certificate></X509Data></KeyInfo></KeyDescriptor>
            <KeyDescriptor use="encryption"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>
              <X509Certificate>%s</X509Certificate></X509Data></KeyInfo></KeyDescriptor>
            <SingleSignOnService Binding="urn:mace:shibboleth:1.0:profiles:AuthnRequest" Location="whatever:"/>
            <SingleSignOnService Binding="%sHTTP-POST" Location="https://both.example/sso"/>
          </IDPSSODescriptor>
          <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"
              validUntil="2027-01-01T00:00:00Z">
            <AssertionConsumerService Binding="%sHTTP-POST" Location="https://both.example/2" index="2"/>
            <AssertionConsumerService Binding="%sHTTP-POST" Location="https://both.example/1" index="1"/>
          </SPSSODescriptor>
          <Organization><OrganizationName xml:lang="de">B</OrganizationName>
            <OrganizationDisplayName xml:lang="de">Beides</OrganizationDisplayName>
            <OrganizationDisplayName xml:lang="en"> Both </OrganizationDisplayName>
            <OrganizationURL xml:lang="de">https://both.example</OrganizationURL></Organization>
          <ContactPerson contactType="technical"><EmailAddress>mailto:a@both.example</EmailAddress></ContactPerson>
        </EntityDescriptor>
        """
            .formatted(certificate, certificate, BINDINGS, BINDINGS, BINDINGS);

    var metadata = accepted(codec.read(bytes(document), "urn:both", Optional.empty(), SamlFixtures.NOW));

    assertThat(metadata.displayName()).contains("Both");
    assertThat(metadata.validUntil()).contains(Instant.parse("2027-01-01T00:00:00Z"));
    assertThat(metadata.cacheDuration()).isEmpty();
    var idp = metadata.idp().orElseThrow();
    assertThat(idp.wantAuthnRequestsSigned()).isTrue();
    assertThat(idp.signing()).containsExactly(SamlFixtures.spKey().certificate());
    assertThat(idp.singleSignOn())
        .containsExactly(new PartnerMetadata.Endpoint(Binding.POST, "https://both.example/sso", Optional.empty()));
    assertThat(DefaultConsumer.of(metadata.sp().orElseThrow().assertionConsumers()).orElseThrow().index()).isEqualTo(1);
  }

  private static String text(byte[] document) {
    return new String(document, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String document) {
    return document.getBytes(StandardCharsets.UTF_8);
  }

  private static PartnerMetadata accepted(Result<PartnerMetadata, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Accepted(var metadata) -> metadata;
      case Result.Refused(var refusal) -> throw new AssertionError(refusal);
    };
  }

  private static Reason refused(Result<PartnerMetadata, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Accepted<PartnerMetadata, SamlRefusal> accepted -> throw new AssertionError("accepted");
      case Result.Refused(var refusal) -> refusal.reason();
    };
  }
}
