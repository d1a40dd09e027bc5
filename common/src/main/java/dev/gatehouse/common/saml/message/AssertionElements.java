package dev.gatehouse.common.saml.message;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SUBJECT_MISSING;
import static dev.gatehouse.common.saml.xml.XmlNamespace.SAML;

import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.SamlAttribute;
import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.XmlValues;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/** Converts Assertions that {@link SamlGrammars#MESSAGES} has checked to records (SAML Core 2). */
final class AssertionElements {

  private static final String XSI = "http://www.w3.org/2001/XMLSchema-instance";

  private AssertionElements() {}

  static Assertion assertion(Element e) {
    Element subject =
        Dom.child(e, SAML, "Subject")
            .orElseThrow(() -> new MessageRefused(SUBJECT_MISSING, "an Assertion without Subject"));
    Optional<Element> conditions = Dom.child(e, SAML, "Conditions");
    return new Assertion(
        ProtocolElements.id(e),
        ProtocolElements.issueInstant(e),
        ProtocolElements.issuer(e),
        ProtocolElements.subject(subject),
        Dom.children(subject, SAML, "SubjectConfirmation").stream().map(AssertionElements::confirmation).toList(),
        conditions.flatMap(c -> XmlValues.instant(c, "NotBefore")),
        conditions.flatMap(c -> XmlValues.instant(c, "NotOnOrAfter")),
        conditions.map(AssertionElements::audienceRestrictions).orElse(List.of()),
        authnStatement(e),
        attributes(e));
  }

  private static Assertion.SubjectConfirmation confirmation(Element e) {
    Optional<Element> data = Dom.child(e, SAML, "SubjectConfirmationData");
    return new Assertion.SubjectConfirmation(
        Dom.attribute(e, "Method").orElse("").strip(),
        data.flatMap(d -> Dom.attribute(d, "Recipient")),
        data.flatMap(d -> Dom.attribute(d, "InResponseTo")),
        data.flatMap(d -> XmlValues.instant(d, "NotBefore")),
        data.flatMap(d -> XmlValues.instant(d, "NotOnOrAfter")));
  }

  /** Refuses a condition that is not understood: it makes the assertion unusable (SAML Core 2.5.1.1). */
  private static List<List<String>> audienceRestrictions(Element conditions) {
    if (Dom.child(conditions, SAML, "Condition").isPresent()) {
      throw new MessageRefused(SCHEMA, "a Condition of unknown type");
    }
    return Dom.children(conditions, SAML, "AudienceRestriction").stream()
        .map(restriction -> Dom.children(restriction, SAML, "Audience").stream().map(XmlValues::uri).toList())
        .toList();
  }

  private static Optional<Assertion.AuthnStatement> authnStatement(Element assertion) {
    List<Element> statements = Dom.children(assertion, SAML, "AuthnStatement");
    if (statements.size() > 1) {
      throw new MessageRefused(SCHEMA, "more than one AuthnStatement");
    }
    return statements.stream().findFirst().map(AssertionElements::authnStatement0);
  }

  private static Assertion.AuthnStatement authnStatement0(Element e) {
    Element context = XmlValues.required(e, SAML, "AuthnContext");
    Instant authnInstant =
        XmlValues.instant(e, "AuthnInstant")
            .orElseThrow(() -> new MessageRefused(SCHEMA, "an AuthnStatement without AuthnInstant"));
    return new Assertion.AuthnStatement(
        authnInstant,
        Dom.attribute(e, "SessionIndex"),
        XmlValues.instant(e, "SessionNotOnOrAfter"),
        Dom.child(context, SAML, "AuthnContextClassRef").map(XmlValues::uri));
  }

  private static List<SamlAttribute> attributes(Element assertion) {
    List<SamlAttribute> attributes = new ArrayList<>();
    for (Element statement : Dom.children(assertion, SAML, "AttributeStatement")) {
      for (Element attribute : Dom.children(statement, SAML, "Attribute")) {
        attributes.add(attribute(attribute));
      }
    }
    return List.copyOf(attributes);
  }

  /**
   * Reads the text values of an attribute. Values that are elements are omitted, except a qualified NameID, which has a usual text
   * form (eduPersonTargetedID, eduPerson 4.4.0). Values of {@code xsi:nil} are omitted as well: they mean that there is none (SAML
   * Core 2.7.3.1.1).
   */
  private static SamlAttribute attribute(Element e) {
    return new SamlAttribute(
        Dom.attribute(e, "Name").orElse(""),
        Dom.attribute(e, "NameFormat").orElse(SamlAttribute.UNSPECIFIED),
        Dom.attribute(e, "FriendlyName"),
        Dom.children(e, SAML, "AttributeValue").stream()
            .filter(value -> !isNil(value))
            .flatMap(value -> Dom.hasElements(value) ? qualifiedName(value).stream() : Stream.of(Dom.text(value)))
            .toList());
  }

  /** Returns {@code NameQualifier!SPNameQualifier!value} if the value is such a NameID and its parts are unambiguous. */
  private static Optional<String> qualifiedName(Element value) {
    List<Element> children = Dom.children(value);
    Element only = children.getFirst();
    if (children.size() != 1 || !Dom.is(only, SAML, "NameID") || Dom.hasElements(only)) {
      return Optional.empty();
    }
    List<String> parts =
        Stream.of(Dom.attribute(only, "NameQualifier"), Dom.attribute(only, "SPNameQualifier"), Optional.of(Dom.text(only)))
            .flatMap(Optional::stream)
            .filter(part -> !part.isEmpty() && part.indexOf('!') < 0)
            .toList();
    return parts.size() == 3 ? Optional.of(String.join("!", parts)) : Optional.empty();
  }

  private static boolean isNil(Element value) {
    String nil = value.getAttributeNS(XSI, "nil").strip();
    return nil.equals("true") || nil.equals("1");
  }
}
