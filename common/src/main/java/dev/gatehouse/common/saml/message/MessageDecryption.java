package dev.gatehouse.common.saml.message;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.XML_TOO_COMPLEX;
import static dev.gatehouse.common.saml.xml.XmlNamespace.SAML;
import static dev.gatehouse.common.saml.xml.XmlNamespace.SAMLP;

import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.encryption.EncryptedElement;
import dev.gatehouse.common.saml.xml.BoundedTree;
import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.HardenedParser;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import java.util.HashSet;
import java.util.Set;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;

/**
 * Decrypts the encrypted elements of one message. Decrypted text is read by the same parser and checked by the same grammar as the
 * message, and its IDs must be new to the message. The work for a message is bounded.
 */
final class MessageDecryption {

  /** Limit before anything is authenticated; one is usual. */
  private static final int MAX_ASSERTIONS = 2;

  private static final int MAX_ELEMENTS = 100;

  private final Element message;
  private final SamlReader.PartnerLookup partners;
  private final HardenedParser parser;
  private final Set<String> ids = new HashSet<>();
  private int assertions;
  private int elements;

  /** @param message already checked by the grammar */
  MessageDecryption(Element message, SamlReader.PartnerLookup partners, HardenedParser parser) {
    this.message = message;
    this.partners = partners;
    this.parser = parser;
  }

  /** Returns the Assertion of an EncryptedAssertion, in its own tree; the caller must verify whether it is authentic. */
  Element assertion(Element encrypted) {
    if (++assertions > MAX_ASSERTIONS) {
      throw new MessageRefused(XML_TOO_COMPLEX, "more than " + MAX_ASSERTIONS + " EncryptedAssertions");
    }
    return open(encrypted, SAML, "Assertion");
  }

  /** Decrypts the EncryptedID of a Subject and the EncryptedAttributes in place, in an Assertion known to be authentic. */
  void inside(Element assertion) {
    Dom.child(assertion, SAML, "Subject").ifPresent(this::nameId);
    for (Element statement : Dom.children(assertion, SAML, "AttributeStatement")) {
      for (Element encrypted : Dom.children(statement, SAML, "EncryptedAttribute")) {
        replace(encrypted, open(encrypted, SAML, "Attribute"));
      }
    }
  }

  /** Decrypts the identifiers in place, in a message known to be authentic. */
  void message(Element message) {
    nameId(message);
    Dom.child(message, SAML, "Subject").ifPresent(this::nameId);
    Dom.child(message, SAMLP, "NewEncryptedID")
        .ifPresent(encrypted -> replace(encrypted, open(encrypted, SAMLP, "NewID")));
  }

  private void nameId(Element parent) {
    Dom.child(parent, SAML, "EncryptedID").ifPresent(encrypted -> replace(encrypted, open(encrypted, SAML, "NameID")));
  }

  private static void replace(Element encrypted, Element plain) {
    encrypted.getParentNode().replaceChild(encrypted.getOwnerDocument().adoptNode(plain), encrypted);
  }

  private Element open(Element encrypted, XmlNamespace namespace, String name) {
    if (++elements > MAX_ELEMENTS) {
      throw new MessageRefused(XML_TOO_COMPLEX, "more than " + MAX_ELEMENTS + " encrypted elements");
    }
    byte[] plain = partners.decrypt(EncryptedElement.of(encrypted));
    if (ids.isEmpty()) {
      collectIds(message.getOwnerDocument().getDocumentElement());
    }
    Element element = parser.parseInside(encrypted, plain, ids);
    if (!Dom.is(element, namespace, name)) {
      throw new MessageRefused(SCHEMA, Dom.name(element) + " in an " + Dom.name(encrypted));
    }
    SamlGrammars.MESSAGES.check(element);
    return element;
  }

  private void collectIds(Element element) {
    NamedNodeMap attributes = element.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      Attr attribute = (Attr) attributes.item(i);
      if (BoundedTree.isId(attribute.getNamespaceURI(), attribute.getName())) {
        ids.add(attribute.getValue());
      }
    }
    Dom.children(element).forEach(this::collectIds);
  }
}
