package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.SamlMessage.ArtifactResolve;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest.Change;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Envelopes that violate SOAP 1.1 and SAML Bindings 3.2, and messages that do not belong into one. */
class SoapAttackTest {

  private final SamlReader reader = new StrictSamlReader();
  private final SamlReader.PartnerLookup sp = SamlFixtures.partners(SamlFixtures.spMetadata());
  private final String honest = envelope(SamlFixtures.logoutRequest("_l1", SamlFixtures.SP));
  private final String body =
      honest.substring(honest.indexOf("<saml2p:"), honest.indexOf("</soap11:Body>"));

  private static String envelope(SamlMessage message) {
    return new String(new CanonicalSamlWriter().soap(message, SamlFixtures.spKey()), StandardCharsets.UTF_8);
  }

  private Result<Received<SamlMessage.LogoutRequest>, SamlRefusal> read(String envelope) {
    return reader.logoutRequest(
        SamlFixtures.soap(SamlFixtures.IDP_SLO, envelope.getBytes(StandardCharsets.UTF_8)), sp);
  }

  private static String soap(String contents) {
    return "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\">" + contents + "</e:Envelope>";
  }

  @Test
  void theHonestOneIsAccepted() {
    assertThat(read(honest)).isInstanceOf(Result.Accepted.class);
    assertThat(read(soap("<e:Header/><e:Body>\n" + body + "\n</e:Body>"))).isInstanceOf(Result.Accepted.class);
    String header = "<e:Header><a:b xmlns:a=\"urn:a\" e:mustUnderstand=\"0\"/></e:Header>";
    assertThat(read(soap(header + "<e:Body>" + body + "</e:Body>"))).isInstanceOf(Result.Accepted.class);
  }

  @Test
  void documentTypesAndEntities() {
    assertThat(Forgery.reason(read("<!DOCTYPE e [<!ENTITY x \"y\">]>" + honest))).isEqualTo(Reason.XML_DOCTYPE);
    assertThat(Forgery.reason(read("<!DOCTYPE e SYSTEM \"http://127.0.0.1:9/x\">" + honest)))
        .isEqualTo(Reason.XML_DOCTYPE);
    assertThat(Forgery.reason(read(honest.replace("_session-1", "&x;")))).isEqualTo(Reason.XML_NOT_WELL_FORMED);
    assertThat(Forgery.reason(read("<?xml-stylesheet href=\"x\"?>" + honest)))
        .isEqualTo(Reason.XML_PROCESSING_INSTRUCTION);
  }

  @Test
  void moreOrLessThanOneMessage() {
    assertThat(Forgery.reason(read(soap("<e:Body>" + body + "<x/></e:Body>")))).isEqualTo(Reason.SOAP_MALFORMED);
    assertThat(Forgery.reason(read(soap("<e:Body><x/>" + body + "</e:Body>")))).isEqualTo(Reason.SOAP_MALFORMED);
    assertThat(Forgery.reason(read(soap("<e:Body/>")))).isEqualTo(Reason.SOAP_MALFORMED);
    assertThat(Forgery.reason(read(soap("<e:Body>text" + body + "</e:Body>")))).isEqualTo(Reason.SOAP_MALFORMED);
    assertThat(Forgery.reason(read(soap("<e:Body>" + body + body + "</e:Body>"))))
        .as("the ID is there twice, too")
        .isEqualTo(Reason.XML_DUPLICATE_ID);
  }

  @Test
  void moreOrLessThanOneBody() {
    String once = "<e:Body>" + body + "</e:Body>";
    for (String contents :
        List.of(
            once + "<e:Body/>", "<e:Body/>" + once, once + "<x/>", once + "<e:Header/>", "<e:Header/>",
            "<e:Header/><e:Header/>" + once, "text" + once, body, "")) {
      assertThat(Forgery.reason(read(soap(contents)))).as(contents).isEqualTo(Reason.SOAP_MALFORMED);
    }
    assertThat(Forgery.reason(read(body))).as("no envelope at all").isEqualTo(Reason.SOAP_MALFORMED);
  }

  @Test
  void anotherSoap() {
    String soap12 =
        honest.replace("http://schemas.xmlsoap.org/soap/envelope/", "http://www.w3.org/2003/05/soap-envelope");

    assertThat(Forgery.reason(read(soap12))).isEqualTo(Reason.SOAP_VERSION);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "true", " 1 ", "yes"})
  void headersThatMustBeUnderstood(String must) {
    String header = "<e:Header><x/><a:b xmlns:a=\"urn:a\" e:mustUnderstand=\"" + must + "\"/></e:Header>";

    assertThat(Forgery.reason(read(soap(header + "<e:Body>" + body + "</e:Body>"))))
        .isEqualTo(Reason.SOAP_MUST_UNDERSTAND);
  }

  /** What is signed in a header is not what is read, and the message's own ID may not stand there too. */
  @Test
  void theSignedMessageInAHeaderAndAForgedOneInTheBody() {
    String unsigned =
        MessageElements.write(
            SamlFixtures.logoutRequest("_evil", SamlFixtures.SP), Optional.empty(), Optional.empty(), Optional.empty());
    String sameId =
        MessageElements.write(
            SamlFixtures.logoutRequest("_l1", SamlFixtures.SP), Optional.empty(), Optional.empty(), Optional.empty());
    String signature = body.substring(body.indexOf("<ds:Signature"), body.indexOf("</ds:Signature>") + 15);
    String withSignature = Forgery.replaceOnce(unsigned, "</saml2:Issuer>", "</saml2:Issuer>" + signature);
    String header = "<e:Header>" + body + "</e:Header><e:Body>";

    assertThat(Forgery.reason(read(soap(header + unsigned + "</e:Body>")))).isEqualTo(Reason.SIGNATURE_MISSING);
    assertThat(Forgery.reason(read(soap(header + sameId + "</e:Body>")))).isEqualTo(Reason.XML_DUPLICATE_ID);
    assertThat(Forgery.reason(read(soap(header + withSignature + "</e:Body>"))))
        .isEqualTo(Reason.SIGNATURE_REFERENCE);
  }

  @Test
  void aSignatureThatIsNotTheMessages() {
    assertThat(Forgery.reason(read(honest.replace("_session-1", "_session-2")))).isEqualTo(Reason.SIGNATURE_INVALID);
    String signature = body.substring(body.indexOf("<ds:Signature"), body.indexOf("</ds:Signature>") + 15);
    assertThat(Forgery.reason(read(honest.replace(signature, "")))).isEqualTo(Reason.SIGNATURE_MISSING);
    var stranger = new CanonicalSamlWriter().soap(
        SamlFixtures.logoutRequest("_l1", SamlFixtures.SP), SamlFixtures.strangerKey());
    assertThat(Forgery.reason(read(new String(stranger, StandardCharsets.UTF_8)))).isEqualTo(Reason.SIGNATURE_INVALID);
  }

  @Test
  void tooMuch() {
    assertThat(Forgery.reason(read(honest + " ".repeat(Transport.MAX_BYTES)))).isEqualTo(Reason.MESSAGE_TOO_LARGE);
    assertThat(Forgery.reason(read(soap("<e:Header>" + "<a>".repeat(50) + "</a>".repeat(50) + "</e:Header>"))))
        .isEqualTo(Reason.XML_TOO_COMPLEX);
  }

  @Test
  void aFaultIsNoAnswer() {
    byte[] fault = new CanonicalSamlWriter().soapFault(SamlWriter.Fault.SERVER, "down <now>\nfor\u0085ever");
    var refusal = refusal(reader.logoutResponse(fault, sp));

    assertThat(refusal).isEqualTo(new SamlRefusal(Reason.SOAP_FAULT, "a Fault: soap11:Server, down <now> for ever"));
    String endless = soap("<e:Body><e:Fault><faultstring>" + "x".repeat(900) + "</faultstring></e:Fault></e:Body>");
    assertThat(refusal(reader.logoutResponse(endless.getBytes(StandardCharsets.UTF_8), sp)).detail()).hasSize(209);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, text/xml, NO_MESSAGE",
    "PUT, text/xml, NO_MESSAGE",
    "POST, application/soap, NO_MESSAGE",
    "POST, text/plain, NO_MESSAGE",
    "POST, text/xmlx, NO_MESSAGE",
    "POST, , NO_MESSAGE",
  })
  void whatDoesNotSayThatItIsSoap(String method, String type, Reason reason) {
    EdgeRequest soap = SamlFixtures.soap(SamlFixtures.IDP_SLO, honest.getBytes(StandardCharsets.UTF_8));
    Headers headers = type == null ? Headers.empty() : Headers.of("Content-Type", type);
    EdgeRequest other =
        new EdgeRequest(method, soap.origin(), soap.path(), "", headers, soap.body(), soap.client());

    assertThat(SamlReader.isSoap(other)).isFalse();
    assertThat(Forgery.reason(reader.logoutRequest(other, sp))).isEqualTo(reason);
    assertThat(Forgery.reason(reader.artifactResolve(other, sp))).isEqualTo(Reason.UNEXPECTED_MESSAGE);
  }

  /** Axis and other clients name the media type of SOAP 1.2 for an envelope of SOAP 1.1. */
  @ParameterizedTest
  @ValueSource(strings = {"application/soap+xml", "Application/SOAP+XML; charset=utf-8; action=\"logout\"", "text/xml"})
  void bothMediaTypesAreRead(String type) {
    EdgeRequest soap = SamlFixtures.soap(SamlFixtures.IDP_SLO, honest.getBytes(StandardCharsets.UTF_8));
    EdgeRequest sent =
        new EdgeRequest(
            "POST", soap.origin(), soap.path(), "", Headers.of("Content-Type", type), soap.body(), soap.client());

    assertThat(reader.logoutRequest(sent, sp)).isInstanceOf(Result.Accepted.class);
  }

  @Test
  void whatBrowsersBringDoesNotComeBySoap() {
    EdgeRequest request = soapOf(SamlFixtures.authnRequest("_r1"));
    EdgeRequest response = soapOf(SamlFixtures.logoutResponse("_l2", SamlFixtures.SP, "_l1"));

    assertThat(Forgery.reason(reader.authnRequest(request, sp))).isEqualTo(Reason.UNEXPECTED_MESSAGE);
    assertThat(Forgery.reason(reader.response(response, sp))).isEqualTo(Reason.UNEXPECTED_MESSAGE);
    assertThat(Forgery.reason(reader.logoutResponse(response, sp))).isEqualTo(Reason.UNEXPECTED_MESSAGE);
    assertThat(Forgery.reason(reader.manageNameIdResponse(response, sp))).isEqualTo(Reason.UNEXPECTED_MESSAGE);
  }

  @Test
  void anotherMessageThanTheEndpointTakes() {
    var logout = soapOf(SamlFixtures.logoutRequest("_l1", SamlFixtures.SP));
    var resolve =
        soapOf(new ArtifactResolve("_a1", SamlFixtures.NOW, SamlFixtures.SP, Optional.empty(), "AAQ="));

    assertThat(Forgery.reason(reader.artifactResolve(logout, sp))).isEqualTo(Reason.UNEXPECTED_MESSAGE);
    assertThat(Forgery.reason(reader.manageNameIdRequest(logout, sp))).isEqualTo(Reason.UNEXPECTED_MESSAGE);
    assertThat(Forgery.reason(reader.logoutRequest(resolve, sp))).isEqualTo(Reason.UNEXPECTED_MESSAGE);
  }

  @ParameterizedTest
  @CsvSource({
    "'<saml2p:Terminate></saml2p:Terminate>', '', SCHEMA",
    "'<saml2p:Terminate></saml2p:Terminate>', '<saml2p:NewID></saml2p:NewID>', SCHEMA",
    "'<saml2p:Terminate></saml2p:Terminate>', '<saml2p:Terminate>now</saml2p:Terminate>', SCHEMA",
    "'<saml2p:Terminate></saml2p:Terminate>', '<saml2p:Terminate/><saml2p:NewID>x</saml2p:NewID>', SCHEMA",
    "'<saml2p:Terminate></saml2p:Terminate>', '<saml2p:NewID>x</saml2p:NewID><saml2p:NewID>y</saml2p:NewID>', SCHEMA",
    "'</saml2:NameID>', '</saml2:NameID><a/>', SCHEMA",
  })
  void changesOfNamesThatSayTooMuchOrTooLittle(String from, String to, Reason reason) {
    var message = SamlFixtures.manageNameIdRequest("_m1", SamlFixtures.SP, new Change.Terminate());
    String plain = MessageElements.write(message, Optional.empty(), Optional.empty(), Optional.empty());
    String signed =
        Forgery.sign(
            Forgery.replaceOnce(plain, from, to), "ManageNameIDRequest",
            new Forgery.Recipe().key(SamlFixtures.spKey()));
    EdgeRequest request =
        SamlFixtures.soap(SamlFixtures.IDP, soap("<e:Body>" + signed + "</e:Body>").getBytes(StandardCharsets.UTF_8));

    assertThat(Forgery.reason(reader.manageNameIdRequest(request, sp))).isEqualTo(reason);
  }

  private static EdgeRequest soapOf(SamlMessage message) {
    return SamlFixtures.soap(SamlFixtures.IDP, new CanonicalSamlWriter().soap(message, SamlFixtures.spKey()));
  }

  private static SamlRefusal refusal(Result<?, SamlRefusal> reading) {
    return switch (reading) {
      case Result.Refused(SamlRefusal refusal) -> refusal;
      case Result.Accepted(var value) -> throw new AssertionError("accepted: " + value);
    };
  }
}
