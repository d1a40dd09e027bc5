package dev.gatehouse.common.saml.message;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SOAP_FAULT;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SOAP_MALFORMED;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SOAP_MUST_UNDERSTAND;
import static dev.gatehouse.common.saml.SamlRefusal.Reason.SOAP_VERSION;
import static dev.gatehouse.common.saml.xml.XmlNamespace.SOAP11;

import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.xml.CanonicalXml;
import dev.gatehouse.common.saml.xml.Dom;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/**
 * SOAP 1.1 around messages (SAML Bindings 3.2.2): an Envelope, Headers that may be ignored, a Body with one message. Only the
 * message is signed; the envelope has no meaning of its own.
 */
final class SoapEnvelope {

  private static final String START =
      "<soap11:Envelope xmlns:soap11=\"" + SOAP11.uri() + "\"><soap11:Body>";
  private static final String END = "</soap11:Body></soap11:Envelope>";
  private static final Set<String> MEDIA_TYPES = Set.of("text/xml", "application/soap+xml");
  private static final int MAX_FAULT_CHARACTERS = 200;

  private SoapEnvelope() {}

  /**
   * Returns whether the request's body claims to be an envelope (SOAP 1.1, section 6). Some products use the media type of SOAP 1.2 (RFC
   * 3902) for an envelope of SOAP 1.1, and only the envelope matters (SAML Bindings 3.2.1).
   */
  static boolean isIn(EdgeRequest request) {
    String type = request.headers().first("Content-Type").orElse("");
    int semicolon = type.indexOf(';');
    String media = (semicolon < 0 ? type : type.substring(0, semicolon)).strip().toLowerCase(Locale.ROOT);
    return request.method().equals("POST") && MEDIA_TYPES.contains(media);
  }

  static String around(String message) {
    return START + message + END;
  }

  /** @param code {@code Client} or {@code Server} (SOAP 1.1, section 4.4.1) */
  static String fault(String code, String text) {
    CanonicalXml fault = new CanonicalXml().start(SOAP11, "Envelope").start(SOAP11, "Body").start(SOAP11, "Fault");
    return fault
        .unqualified("faultcode", SOAP11.prefix() + ':' + code)
        .unqualified("faultstring", text)
        .end()
        .end()
        .end()
        .toString();
  }

  /** Returns the one message in the Body; throws {@link MessageRefused}. */
  static Element message(Element envelope) {
    if (!Dom.is(envelope, SOAP11, "Envelope")) {
      boolean other = "Envelope".equals(envelope.getLocalName());
      throw new MessageRefused(
          other ? SOAP_VERSION : SOAP_MALFORMED, Dom.name(envelope) + " where an Envelope of SOAP 1.1 is expected");
    }
    List<Element> parts = elements(envelope);
    int body = !parts.isEmpty() && Dom.is(parts.getFirst(), SOAP11, "Header") ? 1 : 0;
    if (parts.size() != body + 1 || !Dom.is(parts.get(body), SOAP11, "Body")) {
      throw new MessageRefused(SOAP_MALFORMED, "the Envelope is not Header and Body");
    }
    if (body == 1) {
      elements(parts.getFirst()).forEach(SoapEnvelope::checkIgnorable);
    }
    List<Element> contents = elements(parts.get(body));
    if (contents.size() != 1) {
      throw new MessageRefused(SOAP_MALFORMED, contents.size() + " elements in the Body, where one is expected");
    }
    Element message = contents.getFirst();
    if (Dom.is(message, SOAP11, "Fault")) {
      throw new MessageRefused(SOAP_FAULT, "a Fault: " + faultText(message));
    }
    return message;
  }

  /** Refuses mandatory headers, because headers are not processed (SOAP 1.1, section 4.2.3; SAML Bindings 3.2.2.1). */
  private static void checkIgnorable(Element header) {
    String mustUnderstand = header.getAttributeNS(SOAP11.uri(), "mustUnderstand").strip();
    if (!mustUnderstand.isEmpty() && !mustUnderstand.equals("0")) {
      throw new MessageRefused(SOAP_MUST_UNDERSTAND, "the header " + Dom.name(header) + " must be understood");
    }
  }

  /** Returns the child elements; only white space may be between them. */
  private static List<Element> elements(Element parent) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Text text && !text.getData().isBlank()) {
        throw new MessageRefused(SOAP_MALFORMED, "text between the elements of " + Dom.name(parent));
      }
    }
    return Dom.children(parent);
  }

  /** Returns the other side's text for administrators: one line of printable characters. */
  private static String faultText(Element fault) {
    StringBuilder said = new StringBuilder();
    for (Element part : Dom.children(fault)) {
      if (part.getLocalName().equals("faultcode") || part.getLocalName().equals("faultstring")) {
        said.append(said.isEmpty() ? "" : ", ").append(Dom.text(part).strip());
      }
    }
    String line = said.toString().replaceAll("[^\\P{C}]+|[\\r\\n]+", " ");
    return line.length() <= MAX_FAULT_CHARACTERS ? line : line.substring(0, MAX_FAULT_CHARACTERS);
  }
}
