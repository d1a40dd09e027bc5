package dev.gatehouse.common.saml.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.message.Forgery;
import dev.gatehouse.common.saml.message.Forgery.Recipe;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateEncodingException;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Metadata in the shapes of products in the field: to refuse one is a bug too. */
class RealWorldMetadataTest {

  private static final String KEY =
      "<KeyInfo xmlns=\"http://www.w3.org/2000/09/xmldsig#\"><X509Data><X509Certificate>" + certificate()
          + "</X509Certificate></X509Data></KeyInfo>";

  /** FederationMetadata.xml: roles of WS-Federation with their own attributes, claims, several keys. */
  private static final String ADFS =
      """
      <EntityDescriptor ID="_c6f1" entityID="http://fs.example.com/adfs/services/trust" \
      xmlns="urn:oasis:names:tc:SAML:2.0:metadata"><RoleDescriptor xsi:type="fed:ApplicationServiceType" \
      protocolSupportEnumeration="http://docs.oasis-open.org/ws-sx/ws-trust/200512 http://docs.oasis-open.org/wsfed/federation/200706" \
      ServiceDisplayName="Example &amp; Co" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xmlns:fed="http://docs.oasis-open.org/wsfed/federation/200706"><KeyDescriptor use="encryption">KEY</KeyDescriptor>\
      <fed:ClaimTypesRequested><auth:ClaimType Uri="http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress" \
      Optional="true" xmlns:auth="http://docs.oasis-open.org/wsfed/authorization/200706"><auth:DisplayName>E-Mail \
      Address</auth:DisplayName><auth:Description>The e-mail address</auth:Description></auth:ClaimType>\
      </fed:ClaimTypesRequested><fed:TargetScopes><EndpointReference xmlns="http://www.w3.org/2005/08/addressing">\
      <Address>https://fs.example.com/adfs/ls/</Address></EndpointReference></fed:TargetScopes></RoleDescriptor>\
      <RoleDescriptor xsi:type="fed:SecurityTokenServiceType" \
      protocolSupportEnumeration="http://docs.oasis-open.org/wsfed/federation/200706" ServiceDisplayName="Example" \
      ServiceDescription="All of it" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xmlns:fed="http://docs.oasis-open.org/wsfed/federation/200706"><KeyDescriptor use="signing">KEY</KeyDescriptor>\
      <fed:TokenTypesOffered><fed:TokenType Uri="urn:oasis:names:tc:SAML:2.0:assertion"/></fed:TokenTypesOffered>\
      </RoleDescriptor>\
      <SPSSODescriptor WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">\
      <KeyDescriptor use="encryption">KEY</KeyDescriptor><KeyDescriptor use="signing">KEY</KeyDescriptor>\
      <SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://fs.example.com/adfs/ls/"/>\
      <NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress</NameIDFormat>\
      <AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" \
      Location="https://fs.example.com/adfs/ls/" index="0" isDefault="true"/>\
      <AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact" \
      Location="https://fs.example.com/adfs/ls/" index="1"/></SPSSODescriptor>\
      <IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">\
      <KeyDescriptor use="encryption">KEY</KeyDescriptor><KeyDescriptor use="signing">KEY</KeyDescriptor>\
      <SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://fs.example.com/adfs/ls/"/>\
      <NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:transient</NameIDFormat>\
      <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://fs.example.com/adfs/ls/"/>\
      <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://fs.example.com/adfs/ls/"/>\
      <Attribute Name="http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress" \
      NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri" FriendlyName="E-Mail Address" \
      xmlns="urn:oasis:names:tc:SAML:2.0:assertion"/></IDPSSODescriptor>\
      <ContactPerson contactType="support"><GivenName>G</GivenName><EmailAddress>a@example.com</EmailAddress>\
      <TelephoneNumber>1</TelephoneNumber></ContactPerson></EntityDescriptor>"""
          .replace("KEY", KEY);

  /** As Shibboleth's Metadata handler writes it. */
  private static final String SHIBBOLETH_SP =
      """
      <!--
      This is example metadata only. Do *NOT* supply it as is without review.
       -->
      <md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" ID="_8d1a" entityID="https://sp.example/shibboleth">
        <md:Extensions xmlns:alg="urn:oasis:names:tc:SAML:metadata:algsupport">
          <alg:DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha512"/>
          <alg:SigningMethod Algorithm="http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512" MinKeySize="256"/>
          <mdattr:EntityAttributes xmlns:mdattr="urn:oasis:names:tc:SAML:metadata:attribute">
            <saml:Attribute xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" Name="http://macedir.org/entity-category"
                NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri">
              <saml:AttributeValue>http://www.geant.net/uri/dataprotection-code-of-conduct/v1</saml:AttributeValue>
            </saml:Attribute>
          </mdattr:EntityAttributes>
          <mdrpi:RegistrationInfo xmlns:mdrpi="urn:oasis:names:tc:SAML:metadata:rpi" registrationAuthority="https://f.example"/>
        </md:Extensions>
        <md:SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol urn:oasis:names:tc:SAML:1.1:protocol">
          <md:Extensions>
            <mdui:UIInfo xmlns:mdui="urn:oasis:names:tc:SAML:metadata:ui">
              <mdui:DisplayName xml:lang="de">Beispiel</mdui:DisplayName>
              <mdui:DisplayName xml:lang="en">Example</mdui:DisplayName>
              <mdui:Logo height="16" width="16">https://sp.example/logo.png</mdui:Logo>
            </mdui:UIInfo>
            <init:RequestInitiator xmlns:init="urn:oasis:names:tc:SAML:profiles:SSO:request-init"
                Binding="urn:oasis:names:tc:SAML:profiles:SSO:request-init" Location="https://sp.example/Shibboleth.sso/Login"/>
            <idpdisc:DiscoveryResponse xmlns:idpdisc="urn:oasis:names:tc:SAML:profiles:SSO:idp-discovery-protocol"
                Binding="urn:oasis:names:tc:SAML:profiles:SSO:idp-discovery-protocol" Location="https://sp.example/Shibboleth.sso/Login" index="1"/>
          </md:Extensions>
          <md:KeyDescriptor use="signing">
            <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
              <ds:KeyName>sp.example</ds:KeyName>
              <ds:X509Data><ds:X509SubjectName>CN=sp.example</ds:X509SubjectName>
                <ds:X509Certificate>CERTIFICATE
      </ds:X509Certificate>
              </ds:X509Data>
            </ds:KeyInfo>
          </md:KeyDescriptor>
          <md:KeyDescriptor use="encryption">
            <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:KeyName>other</ds:KeyName></ds:KeyInfo>
            <md:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes128-gcm"/>
            <md:EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#rsa-oaep">
              <ds:DigestMethod xmlns:ds="http://www.w3.org/2000/09/xmldsig#" Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"/>
            </md:EncryptionMethod>
          </md:KeyDescriptor>
          <md:ArtifactResolutionService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="https://sp.example/Artifact/SOAP" index="1"/>
          <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" Location="https://sp.example/SLO/SOAP"/>
          <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" conf:x="y" xmlns:conf="urn:conf"
              Location="https://sp.example/SLO/Redirect"/>
          <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:PAOS" Location="https://sp.example/ECP" index="3"/>
          <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://sp.example/POST" index="1"/>
          <md:AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST-SimpleSign"
              Location="https://sp.example/SS" index="2"/>
          <md:AttributeConsumingService index="1">
            <md:ServiceName xml:lang="en">Example</md:ServiceName>
            <md:RequestedAttribute FriendlyName="eppn" Name="urn:oid:1.3.6.1.4.1.5923.1.1.1.6"
                NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri" isRequired="true"/>
          </md:AttributeConsumingService>
        </md:SPSSODescriptor>
        <md:Organization><md:OrganizationName xml:lang="en">E</md:OrganizationName>
          <md:OrganizationDisplayName xml:lang="en">E</md:OrganizationDisplayName>
          <md:OrganizationURL xml:lang="en">https://sp.example</md:OrganizationURL></md:Organization>
        <md:ContactPerson xmlns:remd="http://refeds.org/metadata" contactType="other"
            remd:contactType="http://refeds.org/metadata/contactType/security"><md:GivenName>S</md:GivenName></md:ContactPerson>
      </md:EntityDescriptor>
      """
          .replace("CERTIFICATE", certificate());

  private static final String KEYCLOAK =
      """
      <md:EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" \
      xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" \
      entityID="https://kc.example/realms/x"><md:IDPSSODescriptor WantAuthnRequestsSigned="true" \
      protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo>\
      <ds:KeyName>FxPu</ds:KeyName><ds:X509Data><ds:X509Certificate>CERTIFICATE</ds:X509Certificate></ds:X509Data></ds:KeyInfo>\
      </md:KeyDescriptor><md:ArtifactResolutionService Binding="urn:oasis:names:tc:SAML:2.0:bindings:SOAP" \
      Location="https://kc.example/realms/x/protocol/saml/resolve" index="0"></md:ArtifactResolutionService>\
      <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://kc.example/s"></md:SingleLogoutService>\
      <md:SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Artifact" Location="https://kc.example/s"></md:SingleLogoutService>\
      <md:NameIDFormat>urn:oasis:names:tc:SAML:2.0:nameid-format:persistent</md:NameIDFormat>\
      <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://kc.example/s"></md:SingleSignOnService>\
      </md:IDPSSODescriptor></md:EntityDescriptor>"""
          .replace("CERTIFICATE", certificate());

  private final MetadataCodec codec = new CanonicalMetadataCodec();

  private static String certificate() {
    try {
      return Base64.getEncoder().encodeToString(SamlFixtures.idpKey().certificate().getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  private PartnerMetadata read(String document, String entityId) {
    return switch (codec.read(
        document.getBytes(StandardCharsets.UTF_8), entityId, Optional.empty(), SamlFixtures.NOW)) {
      case Result.Accepted(var metadata) -> metadata;
      case Result.Refused(var refusal) -> throw new AssertionError(refusal);
    };
  }

  @Test
  void adfs() {
    PartnerMetadata metadata = read(ADFS, "http://fs.example.com/adfs/services/trust");

    assertThat(metadata.idp().orElseThrow().signing()).containsExactly(SamlFixtures.idpKey().certificate());
    assertThat(metadata.idp().orElseThrow().singleSignOn()).hasSize(2);
    assertThat(DefaultConsumer.of(metadata.sp().orElseThrow().assertionConsumers()).orElseThrow().index()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\uFEFF<?xml version=\"1.0\" encoding=\"utf-8\"?>"})
  void adfsSigned(String prolog) {
    String signed = prolog + Forgery.sign(ADFS, "EntityDescriptor", new Recipe());

    var read =
        codec.read(
            signed.getBytes(StandardCharsets.UTF_8),
            "http://fs.example.com/adfs/services/trust",
            Optional.of(SamlFixtures.idpKey().certificate()),
            SamlFixtures.NOW);

    assertThat(read).isInstanceOf(Result.Accepted.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n"})
  void shibbolethServiceProvider(String lineEnd) {
    PartnerMetadata metadata = read(SHIBBOLETH_SP.replace("\n", lineEnd), "https://sp.example/shibboleth");

    assertThat(metadata.displayName()).contains("Example");
    PartnerMetadata.SpRole sp = metadata.sp().orElseThrow();
    assertThat(sp.signing()).containsExactly(SamlFixtures.idpKey().certificate());
    assertThat(DefaultConsumer.of(sp.assertionConsumers()).orElseThrow().location()).isEqualTo("https://sp.example/POST");
    assertThat(sp.sso().singleLogout()).extracting(PartnerMetadata.Endpoint::location)
        .contains("https://sp.example/SLO/Redirect");
  }

  @Test
  void keycloak() {
    PartnerMetadata metadata = read(KEYCLOAK, "https://kc.example/realms/x");

    assertThat(metadata.idp().orElseThrow().wantAuthnRequestsSigned()).isTrue();
    assertThat(metadata.idp().orElseThrow().signing()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT604800.000S", "P7D", "P0Y0M7DT0H0M0S", "PT168H"})
  void cacheDurations(String written) {
    String document = KEYCLOAK.replace("entityID=", "cacheDuration=\"" + written + "\" entityID=");

    assertThat(read(document, "https://kc.example/realms/x").cacheDuration()).contains(Duration.ofDays(7));
  }
}
