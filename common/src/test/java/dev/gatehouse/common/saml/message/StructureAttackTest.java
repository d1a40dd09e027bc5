package dev.gatehouse.common.saml.message;

import static dev.gatehouse.common.saml.message.Forgery.reason;
import static dev.gatehouse.common.saml.message.Forgery.replaceOnce;
import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlWriter.PostForm;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 2 and 12: deceptive IDs, names, versions and Issuers. */
class StructureAttackTest {

  private final String signed = Forgery.response(SamlWriter.Signed.ASSERTION);

  // IDs.

  @ParameterizedTest
  @ValueSource(strings = {"ID", "Id", "id", "xml:id"})
  void sameIdTwiceInAnySpelling(String name) {
    String extensions =
        "<saml2p:Extensions><x xmlns=\"urn:x\" " + name + "=\"_assertion-1\"/></saml2p:Extensions><saml2p:Status>";

    assertThat(reason(replaceOnce(signed, "<saml2p:Status>", extensions))).isEqualTo(Reason.XML_DUPLICATE_ID);
  }

  @Test
  void xmlId() {
    assertThat(reason(replaceOnce(signed, "<saml2p:Status>", "<saml2p:Status xml:id=\"_x\">")))
        .isEqualTo(Reason.SCHEMA);
    assertThat(reason(replaceOnce(signed, "<saml2p:Status>",
            "<saml2p:Extensions><x xmlns=\"urn:x\" xml:id=\"_x\"/></saml2p:Extensions><saml2p:Status>")))
        .isEqualTo(Reason.SCHEMA);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", " _assertion-1", "_assertion-1 ", "1", "a b", "a#b", "a:b", "&#9;_a"})
  void idThatIsNoNcName(String id) {
    assertThat(reason(replaceOnce(signed, " ID=\"_assertion-1\"", " ID=\"" + id + "\""))).isEqualTo(Reason.SCHEMA);
  }

  // Names and namespaces.

  @Test
  void sameLocalNamesInAnotherNamespace() {
    assertThat(reason(signed.replace("urn:oasis:names:tc:SAML:2.0:protocol", "urn:oasis:names:tc:SAML:1.0:protocol")))
        .isEqualTo(Reason.UNEXPECTED_MESSAGE);
    assertThat(
        reason(signed.replace("xmlns:saml2p=\"urn:oasis:names:tc:SAML:2.0:protocol\"", "xmlns:saml2p=\"urn:evil\"")))
        .isEqualTo(Reason.UNEXPECTED_MESSAGE);
    assertThat(reason(replaceOnce(signed, "<saml2:Subject>", "<Subject xmlns=\"\"/><saml2:Subject>")))
        .isEqualTo(Reason.SCHEMA);
    assertThat(reason(signed.replace(XmlNamespace.DS.uri() + "\"><ds:SignedInfo", "urn:ds\"><ds:SignedInfo")))
        .isEqualTo(Reason.SCHEMA);
  }

  @Test
  void attributeInANamespaceIsNotTheAttribute() {
    String xml = replaceOnce(signed, " ID=\"_response-1\"", " saml2p:ID=\"_response-1\"");

    assertThat(reason(xml)).isEqualTo(Reason.SCHEMA);
  }

  @Test
  void unknownAttribute() {
    assertThat(reason(replaceOnce(signed, "<saml2:Subject>", "<saml2:Subject evil=\"1\">"))).isEqualTo(Reason.SCHEMA);
  }

  @Test
  void anAuthnRequestSaysNothingOfHowItsSubjectIsConfirmed() {
    String xml =
        MessageElements.write(SamlFixtures.authnRequest("_r"), Optional.empty(), Optional.empty())
            .replace(
                "</saml2:Issuer>",
                "</saml2:Issuer><saml2:Subject xmlns:saml2=\"urn:oasis:names:tc:SAML:2.0:assertion\"><saml2:NameID>bob"
                    + "</saml2:NameID><saml2:SubjectConfirmation Method=\"urn:x\"></saml2:SubjectConfirmation>"
                    + "</saml2:Subject>");
    assertThat(requestReason(xml, false)).isEqualTo(Reason.SCHEMA);
  }

  @Test
  void anAuthnRequestOfAnotherVersionIsReadAndOneWithoutAVersionIsNot() {
    String xml = MessageElements.write(SamlFixtures.authnRequest("_r"), Optional.empty(), Optional.empty());
    assertThat(requestReason(xml.replace("\"2.0\"", "\"two\""), true)).isEqualTo(Reason.VERSION);
    assertThat(requestReason(xml.replace("\"2.0\"", "\"3.0\""), true)).isEqualTo(Reason.SIGNATURE_MISSING);
  }

  private static Reason requestReason(String xml, boolean mustBeSigned) {
    PostForm form =
        new PostForm(
            SamlFixtures.IDP_SSO,
            "SAMLRequest",
            Base64.getEncoder().encodeToString(xml.getBytes(StandardCharsets.UTF_8)),
            Optional.empty());
    var reading =
        new StrictSamlReader()
            .authnRequest(SamlFixtures.posted(form), SamlFixtures.partners(SamlFixtures.spMetadata(mustBeSigned)));
    return ((Result.Refused<Received<SamlMessage.AuthnRequest>, SamlRefusal>) reading).refusal().reason();
  }

  @Test
  void otherVersions() {
    assertThat(reason(signed.replaceFirst("Version=\"2.0\"", "Version=\"1.1\""))).isEqualTo(Reason.VERSION);
    assertThat(
        reason(Forgery.sign(Forgery.unsignedResponse().replaceAll("(Assertion.*?)Version=\"2.0\"", "$1Version=\"2.1\""),
            "Response", new Forgery.Recipe())))
        .isEqualTo(Reason.VERSION);
  }

  @Test
  void issuers() {
    String unsigned = Forgery.unsignedResponse();
    String issuer = "<saml2:Issuer xmlns:saml2=\"urn:oasis:names:tc:SAML:2.0:assertion\">" + SamlFixtures.IDP
        + "</saml2:Issuer>";

    assertThat(reason(replaceOnce(unsigned, issuer, ""))).isEqualTo(Reason.ISSUER_MISSING);
    assertThat(reason(replaceOnce(unsigned, issuer, issuer.replace(SamlFixtures.IDP, " "))))
        .isEqualTo(Reason.ISSUER_MISSING);
    assertThat(reason(replaceOnce(unsigned, issuer, issuer.replace("<saml2:Issuer", "<saml2:Issuer Format=\"urn:x\""))))
        .isEqualTo(Reason.ISSUER_MISSING);
    assertThat(reason(replaceOnce(unsigned, issuer, issuer.replace("/realms", "/other"))))
        .isEqualTo(Reason.PARTNER_UNKNOWN);
    String other = unsigned.replaceAll("(Assertion.*Issuer>)" + SamlFixtures.IDP, "$1https://other.example");
    assertThat(reason(Forgery.sign(other, "Response", new Forgery.Recipe()))).isEqualTo(Reason.ISSUER_MISMATCH);
  }

  @Test
  void subjectMissing() {
    String unsigned = Forgery.unsignedResponse().replaceFirst("<saml2:Subject>.*</saml2:Subject>", "");

    assertThat(reason(Forgery.sign(unsigned, "Assertion", new Forgery.Recipe()))).isEqualTo(Reason.SUBJECT_MISSING);
  }

  @Test
  void unknownCondition() {
    String unsigned = Forgery.unsignedResponse()
        .replace("</saml2:Conditions>", "<saml2:Condition/></saml2:Conditions>");

    assertThat(reason(Forgery.sign(unsigned, "Assertion", new Forgery.Recipe()))).isEqualTo(Reason.SCHEMA);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "yesterday", "2026-11-21", "2026-11-31T10:00:00Z", "2026-11-21T10:00:00123Z", "", "+12026-11-21T10:00:00Z",
        "-2026-11-21T10:00:00Z", "99999999999-01-01T00:00:00Z"
      })
  void timesThatAreNone(String time) {
    String unsigned = Forgery.unsignedResponse().replace("2026-11-21T10:00:00Z", time);

    assertThat(reason(Forgery.sign(unsigned, "Response", new Forgery.Recipe()))).isEqualTo(Reason.SCHEMA);
  }

  @Test
  void anotherMessageThanExpected() {
    String logout =
        MessageElements.write(
            SamlFixtures.logoutResponse("_l", SamlFixtures.IDP, "_r"), Optional.of(SamlFixtures.idpKey()),
            Optional.empty());

    assertThat(reason(logout)).isEqualTo(Reason.UNEXPECTED_MESSAGE);
  }
}
