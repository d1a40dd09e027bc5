package dev.gatehouse.common.saml.message;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.ASSERTION_ENCRYPTED;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.ISSUER_MISSING;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SUBJECT_MISSING;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.VERSION;
import static dev.gatehouse.common.saml.xml.XmlNamespace.SAML;
import static dev.gatehouse.common.saml.xml.XmlNamespace.SAMLP;

import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.message.SamlMessage.ManageNameIdRequest;
import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.XmlValues;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.w3c.dom.Element;

/** Converts protocol elements that {@link SamlGrammars#MESSAGES} has checked to records (SAML Core 3). */
final class ProtocolElements {

  private static final Pattern OTHER_VERSION = Pattern.compile("[0-9]{1,3}\\.[0-9]{1,3}");

  private ProtocolElements() {}

  static SamlMessage.AuthnRequest authnRequest(Element e) {
    Optional<Element> subject = Dom.child(e, SAML, "Subject");
    if (subject.filter(s -> Dom.child(s, SAML, "SubjectConfirmation").isPresent()).isPresent()) {
      throw new MessageRefused(SCHEMA, "a Subject with SubjectConfirmation (SAML Profiles 4.1.4.1)");
    }
    return new SamlMessage.AuthnRequest(
        id(e), Dom.attribute(e, "Version").orElse(""), issueInstant(e), issuer(e), Dom.attribute(e, "Destination"),
        new SamlMessage.AuthnRequest.Delivery(
            Dom.attribute(e, "AssertionConsumerServiceURL"),
            Dom.attribute(e, "AssertionConsumerServiceIndex").map(XmlValues::index),
            Dom.attribute(e, "ProtocolBinding")),
        Dom.attribute(e, "AttributeConsumingServiceIndex").map(XmlValues::index),
        Dom.child(e, SAMLP, "NameIDPolicy").map(ProtocolElements::nameIdPolicy),
        authentication(e),
        subject.map(ProtocolElements::subject));
  }

  private static SamlMessage.AuthnRequest.Authentication authentication(Element e) {
    return new SamlMessage.AuthnRequest.Authentication(
        XmlValues.flag(e, "ForceAuthn"),
        XmlValues.flag(e, "IsPassive"),
        Dom.child(e, SAMLP, "RequestedAuthnContext").map(ProtocolElements::requestedAuthnContext),
        Dom.child(e, SAMLP, "Scoping")
            .flatMap(scoping -> Dom.child(scoping, SAMLP, "IDPList"))
            .map(ProtocolElements::idpList)
            .orElse(List.of()));
  }

  /** Returns the IDPList. A list that continues elsewhere (GetComplete) excludes nobody, because we fetch nothing. */
  private static List<String> idpList(Element e) {
    return Dom.child(e, SAMLP, "GetComplete").isPresent()
        ? List.of()
        : Dom.children(e, SAMLP, "IDPEntry").stream()
            .flatMap(entry -> Dom.attribute(entry, "ProviderID").stream())
            .toList();
  }

  private static SamlMessage.NameIdPolicy nameIdPolicy(Element e) {
    return new SamlMessage.NameIdPolicy(
        Dom.attribute(e, "Format"), Dom.attribute(e, "SPNameQualifier"), XmlValues.flag(e, "AllowCreate"));
  }

  private static SamlMessage.RequestedAuthnContext requestedAuthnContext(Element e) {
    String comparison = Dom.attribute(e, "Comparison").orElse("exact");
    if (!List.of("exact", "minimum", "maximum", "better").contains(comparison)) {
      throw new MessageRefused(SCHEMA, "an unknown Comparison");
    }
    List<String> classRefs = Dom.children(e, SAML, "AuthnContextClassRef").stream().map(XmlValues::uri).toList();
    List<String> declRefs = Dom.children(e, SAML, "AuthnContextDeclRef").stream().map(XmlValues::uri).toList();
    if (!classRefs.isEmpty() && !declRefs.isEmpty()) {
      throw new MessageRefused(SCHEMA, "a RequestedAuthnContext of classes and declarations");
    }
    return new SamlMessage.RequestedAuthnContext(comparison, classRefs, declRefs);
  }

  /** Returns a Response with those assertions: the caller knows which of them a signature covers. */
  static SamlMessage.Response response(Element e, List<Assertion> assertions) {
    return new SamlMessage.Response(
        id(e),
        issueInstant(e),
        issuer(e),
        Dom.attribute(e, "Destination"),
        Dom.attribute(e, "InResponseTo"),
        Dom.attribute(e, "Consent"),
        status(e),
        assertions);
  }

  static SamlMessage.LogoutRequest logoutRequest(Element e) {
    return new SamlMessage.LogoutRequest(
        id(e),
        issueInstant(e),
        issuer(e),
        Dom.attribute(e, "Destination"),
        XmlValues.instant(e, "NotOnOrAfter"),
        Dom.attribute(e, "Reason"),
        subject(e),
        Dom.children(e, SAMLP, "SessionIndex").stream().map(Dom::text).toList());
  }

  static SamlMessage.LogoutResponse logoutResponse(Element e) {
    return new SamlMessage.LogoutResponse(
        id(e),
        issueInstant(e),
        issuer(e),
        Dom.attribute(e, "Destination"),
        Dom.attribute(e, "InResponseTo"),
        status(e));
  }

  static SamlMessage.ManageNameIdRequest manageNameIdRequest(Element e) {
    return new SamlMessage.ManageNameIdRequest(
        id(e), issueInstant(e), issuer(e), Dom.attribute(e, "Destination"), subject(e), change(e));
  }

  private static ManageNameIdRequest.Change change(Element e) {
    Optional<String> newId = Dom.child(e, SAMLP, "NewID").map(Dom::text);
    if (newId.filter(String::isBlank).isPresent()) {
      throw new MessageRefused(SCHEMA, "an empty NewID");
    }
    if (newId.isPresent()) {
      return new ManageNameIdRequest.Change.NewId(newId.get());
    }
    XmlValues.required(e, SAMLP, "Terminate");
    return new ManageNameIdRequest.Change.Terminate();
  }

  static SamlMessage.ManageNameIdResponse manageNameIdResponse(Element e) {
    return new SamlMessage.ManageNameIdResponse(
        id(e),
        issueInstant(e),
        issuer(e),
        Dom.attribute(e, "Destination"),
        Dom.attribute(e, "InResponseTo"),
        status(e));
  }

  static SamlMessage.ArtifactResolve artifactResolve(Element e) {
    return new SamlMessage.ArtifactResolve(
        id(e),
        issueInstant(e),
        issuer(e),
        Dom.attribute(e, "Destination"),
        Dom.text(XmlValues.required(e, SAMLP, "Artifact")).strip());
  }

  static SamlMessage.ArtifactResponse artifactResponse(Element e) {
    return new SamlMessage.ArtifactResponse(
        id(e),
        issueInstant(e),
        issuer(e),
        Dom.attribute(e, "Destination"),
        Dom.attribute(e, "InResponseTo"),
        status(e));
  }

  private static SamlStatus status(Element e) {
    Element status = XmlValues.required(e, SAMLP, "Status");
    Element code = XmlValues.required(status, SAMLP, "StatusCode");
    return new SamlStatus(
        Dom.attribute(code, "Value").orElse(""),
        Dom.child(code, SAMLP, "StatusCode").flatMap(sub -> Dom.attribute(sub, "Value")),
        Dom.child(status, SAMLP, "StatusMessage").map(Dom::text));
  }

  /** Returns the Issuer's text as written (SAML Core 2.2.5), of a message or of an assertion. */
  static String issuer(Element e) {
    Element issuer =
        Dom.child(e, SAML, "Issuer")
            .orElseThrow(() -> new MessageRefused(ISSUER_MISSING, Dom.name(e) + " without Issuer"));
    String text = Dom.text(issuer);
    if (text.isBlank() || !Dom.attribute(issuer, "Format").orElse(NameId.ENTITY).equals(NameId.ENTITY)) {
      throw new MessageRefused(ISSUER_MISSING, "the Issuer of " + Dom.name(e) + " names no entity");
    }
    return text;
  }

  /** Accepts AuthnRequests of other versions: our identity provider answers them with VersionMismatch (SAML Core 4.1.3.1). */
  static void checkVersion(Element e) {
    String version = Dom.attribute(e, "Version").orElse("");
    boolean isAnswered = Dom.is(e, SAMLP, "AuthnRequest") && OTHER_VERSION.matcher(version).matches();
    if (!version.equals("2.0") && !isAnswered) {
      throw new MessageRefused(VERSION, Dom.name(e) + " is not of version 2.0");
    }
  }

  /** Returns the NameID of a Subject, of a LogoutRequest or of a ManageNameIDRequest. */
  static NameId subject(Element parent) {
    if (Dom.child(parent, SAML, "EncryptedID").isPresent()) {
      throw new MessageRefused(ASSERTION_ENCRYPTED, "an EncryptedID");
    }
    Element e =
        Dom.child(parent, SAML, "NameID")
            .orElseThrow(() -> new MessageRefused(SUBJECT_MISSING, Dom.name(parent) + " without NameID"));
    String value = Dom.text(e);
    if (value.isBlank()) {
      throw new MessageRefused(SUBJECT_MISSING, "an empty NameID");
    }
    return new NameId(
        value,
        Dom.attribute(e, "Format").orElse(NameId.UNSPECIFIED),
        Dom.attribute(e, "NameQualifier"),
        Dom.attribute(e, "SPNameQualifier"),
        Dom.attribute(e, "SPProvidedID"));
  }

  static String id(Element e) {
    return Dom.attribute(e, "ID").orElse("");
  }

  static Instant issueInstant(Element e) {
    return XmlValues.instant(e, "IssueInstant")
        .orElseThrow(() -> new MessageRefused(SCHEMA, Dom.name(e) + " without IssueInstant"));
  }
}
