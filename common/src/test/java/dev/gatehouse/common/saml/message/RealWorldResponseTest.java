package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.message.Forgery.Recipe;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.xml.crypto.dsig.keyinfo.KeyInfoFactory;
import javax.xml.crypto.dsig.spec.ExcC14NParameterSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses in the shapes of products in the field, signed by the JDK's XML Signature: to refuse one is a bug too. */
class RealWorldResponseTest {

  private static final String ENTRA =
      """
      <samlp:Response ID="_7c1d" Version="2.0" IssueInstant="2026-11-21T10:00:00.123Z" \
      Destination="https://app.example/.gatehouse/saml/acs" InResponseTo="_request-1" \
      xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"><Issuer \
      xmlns="urn:oasis:names:tc:SAML:2.0:assertion">https://idp.example/realms/demo</Issuer>\
      <samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>\
      <Assertion ID="_2e8a-44-b_1" IssueInstant="2026-11-21T09:59:59.9876543Z" Version="2.0" \
      xmlns="urn:oasis:names:tc:SAML:2.0:assertion"><Issuer>https://idp.example/realms/demo</Issuer><Subject>\
      <NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent">Zq3</NameID>\
      <SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><SubjectConfirmationData \
      InResponseTo="_request-1" NotOnOrAfter="2026-11-21T11:00:00.1234567Z" \
      Recipient="https://app.example/.gatehouse/saml/acs"/></SubjectConfirmation></Subject>\
      <Conditions NotBefore="2026-11-21T09:54:59.987Z" NotOnOrAfter="2026-11-21T11:00:00.123Z"><AudienceRestriction>\
      <Audience>https://app.example/.gatehouse/saml/metadata</Audience></AudienceRestriction></Conditions>\
      <AttributeStatement><Attribute Name="http://schemas.microsoft.com/identity/claims/displayname">\
      <AttributeValue>Alice Ängström</AttributeValue></Attribute>\
      <Attribute Name="http://schemas.xmlsoap.org/ws/2005/05/identity/claims/name">\
      <AttributeValue>alice@example.com</AttributeValue></Attribute></AttributeStatement>\
      <AuthnStatement AuthnInstant="2026-11-21T09:00:00.000Z" SessionIndex="_2e8a-44-b_1"><AuthnContext>\
      <AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</AuthnContextClassRef></AuthnContext>\
      </AuthnStatement></Assertion></samlp:Response>""";

  private static final String OKTA =
      """
      <?xml version="1.0" encoding="UTF-8"?><saml2p:Response xmlns:saml2p="urn:oasis:names:tc:SAML:2.0:protocol" \
      Destination="https://app.example/.gatehouse/saml/acs" ID="id24981" InResponseTo="_request-1" \
      IssueInstant="2026-11-21T10:00:00.000Z" Version="2.0" xmlns:xs="http://www.w3.org/2001/XMLSchema"><saml2:Issuer \
      xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion" \
      Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity">https://idp.example/realms/demo</saml2:Issuer>\
      <saml2p:Status xmlns:saml2p="urn:oasis:names:tc:SAML:2.0:protocol"><saml2p:StatusCode \
      Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></saml2p:Status>\
      <saml2:Assertion xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion" ID="id24982" \
      IssueInstant="2026-11-21T10:00:00.000Z" Version="2.0" xmlns:xs="http://www.w3.org/2001/XMLSchema"><saml2:Issuer \
      Format="urn:oasis:names:tc:SAML:2.0:nameid-format:entity" \
      xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion">https://idp.example/realms/demo</saml2:Issuer>\
      <saml2:Subject xmlns:saml2="urn:oasis:names:tc:SAML:2.0:assertion"><saml2:NameID>alice</saml2:NameID>\
      <saml2:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml2:SubjectConfirmationData \
      InResponseTo="_request-1" NotOnOrAfter="2026-11-21T10:05:00.000Z" Address="192.0.2.9" \
      Recipient="https://app.example/.gatehouse/saml/acs"/></saml2:SubjectConfirmation></saml2:Subject>\
      <saml2:Conditions NotBefore="2026-11-21T09:55:00.000Z" NotOnOrAfter="2026-11-21T10:05:00.000Z">\
      <saml2:AudienceRestriction><saml2:Audience>https://app.example/.gatehouse/saml/metadata</saml2:Audience>\
      </saml2:AudienceRestriction><saml2:OneTimeUse/><saml2:ProxyRestriction Count="1"><saml2:Audience>urn:x</saml2:Audience>\
      </saml2:ProxyRestriction></saml2:Conditions>\
      <saml2:AuthnStatement AuthnInstant="2026-11-21T10:00:00.000Z" SessionIndex="_request-1">\
      <saml2:SubjectLocality Address="192.0.2.9" DNSName="pc.example"/><saml2:AuthnContext><saml2:AuthnContextClassRef>\
      urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport</saml2:AuthnContextClassRef>\
      <saml2:AuthenticatingAuthority>https://upstream.example</saml2:AuthenticatingAuthority></saml2:AuthnContext>\
      </saml2:AuthnStatement>\
      <saml2:AttributeStatement><saml2:Attribute Name="groups" \
      NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:basic" FriendlyName="Groups"><saml2:AttributeValue \
      xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xsi:type="xs:string">staff</saml2:AttributeValue><saml2:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xsi:type="xs:anyType">a &amp; b &#x1F600;&#xD;&#xA;c</saml2:AttributeValue></saml2:Attribute>\
      <saml2:Attribute Name="number"><saml2:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xsi:type="xs:integer">42</saml2:AttributeValue></saml2:Attribute>\
      <saml2:Attribute Name="nothing"><saml2:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
      xsi:nil="true"/></saml2:Attribute><saml2:Attribute Name="none"/>\
      <saml2:Attribute xmlns:x500="urn:oasis:names:tc:SAML:2.0:profiles:attribute:X500" x500:Encoding="LDAP" \
      Name="urn:oid:1.3.6.1.4.1.5923.1.1.1.10" NameFormat="urn:oasis:names:tc:SAML:2.0:attrname-format:uri">\
      <saml2:AttributeValue><saml2:NameID Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent" \
      NameQualifier="https://idp.example/realms/demo">x</saml2:NameID></saml2:AttributeValue>\
      <saml2:AttributeValue><saml2:NameID NameQualifier="https://idp.example/realms/demo" \
      SPNameQualifier="https://app.example/sp">op<!-- -->aque</saml2:NameID></saml2:AttributeValue>\
      <saml2:AttributeValue><saml2:NameID NameQualifier="https://idp.example/realms/demo!x" \
      SPNameQualifier="https://app.example/sp">y</saml2:NameID></saml2:AttributeValue>\
      <saml2:AttributeValue><other>z</other></saml2:AttributeValue></saml2:Attribute>\
      </saml2:AttributeStatement></saml2:Assertion></saml2p:Response>""";

  private static ReceivedResponse read(String signed) {
    return Forgery.accepted(Forgery.read(signed));
  }

  private static Recipe withInclusivePrefix(String... prefixes) {
    Recipe recipe = new Recipe().transforms(Forgery.ENVELOPED);
    recipe.transforms.add(recipe.transform(Forgery.EXCLUSIVE, new ExcC14NParameterSpec(List.of(prefixes))));
    return recipe;
  }

  /** Namespaces by default, a Signature without prefix and with its certificate, seven digits of a second. */
  @Test
  void entraId() {
    Recipe recipe = new Recipe();
    recipe.prefix = null;
    KeyInfoFactory keyInfo = recipe.factory.getKeyInfoFactory();
    recipe.keyInfo =
        keyInfo.newKeyInfo(List.of(keyInfo.newX509Data(List.of(SamlFixtures.idpKey().certificate()))));

    Assertion assertion = read(Forgery.sign(ENTRA, "Assertion", recipe)).assertions().getFirst();

    assertThat(assertion.subject().value()).isEqualTo("Zq3");
    assertThat(assertion.issueInstant()).isEqualTo(Instant.parse("2026-11-21T09:59:59.9876543Z"));
    assertThat(assertion.attributes()).extracting(SamlAttribute::values)
        .containsExactly(List.of("Alice Ängström"), List.of("alice@example.com"));
  }

  /** Signed twice, typed values, InclusiveNamespaces, Issuer with Format, NameID without. */
  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n"})
  void okta(String lineEnd) {
    String once = Forgery.sign(OKTA.replace("\n", lineEnd), "Assertion", withInclusivePrefix("xs"));
    ReceivedResponse response = read(Forgery.sign(once, "Response", withInclusivePrefix("xs")));

    assertThat(response.responseSigned()).isTrue();
    Assertion assertion = response.assertions().getFirst();
    assertThat(assertion.subject()).isEqualTo(NameId.of("alice", NameId.UNSPECIFIED));
    assertThat(assertion.authnStatement().flatMap(Assertion.AuthnStatement::authnContextClassRef))
        .contains("urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport");
    assertThat(values(assertion, "groups")).containsExactly("staff", "a & b \uD83D\uDE00\r\nc");
    assertThat(values(assertion, "number")).containsExactly("42");
    assertThat(values(assertion, "none")).isEmpty();
    assertThat(values(assertion, "urn:oid:1.3.6.1.4.1.5923.1.1.1.10"))
        .as("eduPersonTargetedID, of which only the whole ones can be told apart")
        .containsExactly("https://idp.example/realms/demo!https://app.example/sp!opaque");
  }

  /** SAML Core 2.7.3.1.1: xsi:nil says that there is no value, which is not the same as an empty one. */
  @Test
  void nilIsNoValue() {
    Assertion assertion = read(Forgery.sign(OKTA, "Assertion", new Recipe())).assertions().getFirst();

    assertThat(values(assertion, "nothing")).isEmpty();
  }

  private static List<String> values(Assertion assertion, String name) {
    return assertion.attributes().stream()
        .filter(attribute -> attribute.name().equals(name))
        .flatMap(attribute -> attribute.values().stream())
        .toList();
  }

  /** Shibboleth and Keycloak sign the Response alone, or both; ADFS leaves InResponseTo and Destination as they are. */
  @ParameterizedTest
  @ValueSource(strings = {"Response", "Assertion"})
  void eitherSignatureIsEnough(String element) {
    assertThat(read(Forgery.sign(OKTA, element, new Recipe())).assertions()).hasSize(1);
  }

  /** SAML Core 1.3.3 demands UTC "with no time zone component", which some take at its word; offsets are seen as well. */
  @ParameterizedTest
  @CsvSource({
    "2026-11-21T10:00:00, 2026-11-21T10:00:00Z",
    "2026-11-21T10:00:00.1234567, 2026-11-21T10:00:00.1234567Z",
    "2026-11-21T10:00:00.123456789012Z, 2026-11-21T10:00:00.123456789Z",
    "2026-11-21T11:00:00+01:00, 2026-11-21T10:00:00Z",
    "2026-11-21T05:00:00.5-05:00, 2026-11-21T10:00:00.5Z",
  })
  void timesAsTheyAreWritten(String written, Instant meant) {
    String xml =
        ENTRA.replace("IssueInstant=\"2026-11-21T09:59:59.9876543Z\"", "IssueInstant=\"" + written + "\"");

    assertThat(read(Forgery.sign(xml, "Assertion", new Recipe())).assertions().getFirst().issueInstant())
        .isEqualTo(meant);
  }

  /** Line breaks between elements, as they come out of pretty printers, and namespaces declared far above. */
  @Test
  void prettyPrinted() {
    String pretty =
        ENTRA.replace("</Subject>", "</Subject>\n  ").replace("<Subject>", "<Subject>\n\t ").replace("xmlns:samlp",
            "xmlns:unused=\"urn:unused\" xml:lang=\"en\" xmlns:samlp");

    assertThat(read(Forgery.sign(pretty, "Assertion", new Recipe())).assertions()).hasSize(1);
  }

  /** The canonical form of a long assertion outgrows the buffer that it begins in. */
  @Test
  void longValues() {
    String name = "Ängström ".repeat(4_000).strip();
    String xml = ENTRA.replace("Alice Ängström", name);

    Assertion assertion = read(Forgery.sign(xml, "Assertion", new Recipe())).assertions().getFirst();

    assertThat(assertion.attributes().getFirst().values()).containsExactly(name);
  }

  @Test
  void extensionsAndConsent() {
    String xml =
        OKTA.replace("Version=\"2.0\" xmlns:xs", "Consent=\"urn:oasis:names:tc:SAML:2.0:consent:obtained\" Version=\"2.0\" xmlns:xs")
            .replaceFirst(
                "<saml2p:Status ",
                "<saml2p:Extensions><x:a xmlns:x=\"urn:x\"><x:b c=\"d\"/></x:a></saml2p:Extensions><saml2p:Status ")
            .replaceFirst(" Consent=\"[^\"]*\"(?= Version=\"2.0\" xmlns:xs=[^>]*><saml2:Issuer Format)", "");

    ReceivedResponse response = read(Forgery.sign(xml, "Response", new Recipe()));

    assertThat(response.response().inResponseTo()).isEqualTo(Optional.of("_request-1"));
  }
}
