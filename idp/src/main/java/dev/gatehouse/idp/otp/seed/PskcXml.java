package dev.gatehouse.idp.otp.seed;

import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.xml.BoundedTree;
import dev.gatehouse.common.saml.xml.HardenedParser;
import dev.gatehouse.common.saml.xml.XmlElement;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The XML of PSKC files. Whoever wrote the file may be hostile: no document type, no entities, bounded size. */
final class PskcXml {

  static final String PSKC = "urn:ietf:params:xml:ns:keyprov:pskc";
  static final String XMLENC = "http://www.w3.org/2001/04/xmlenc#";
  static final String XMLENC11 = "http://www.w3.org/2009/xmlenc11#";
  static final String XMLDSIG = "http://www.w3.org/2000/09/xmldsig#";
  static final String PKCS5 = "http://www.rsasecurity.com/rsalabs/pkcs/schemas/pkcs-5v2-0#";

  /** As much as a request to the administration may have. */
  private static final int MAX_BYTES = 4 << 20;

  private static final HardenedParser PARSER = new HardenedParser(MAX_BYTES, new BoundedTree.Limits(20, 300_000, 20));

  private PskcXml() {}

  static XmlElement root(byte[] content) {
    XmlElement root;
    try {
      root = XmlElement.parse(PARSER, content);
    } catch (MessageRefused e) {
      throw new SeedFileUnreadable("The file is no XML that can be read: " + e.refusal().reason() + ", " + e.refusal().detail() + ".");
    }
    if (!is(root, "KeyContainer", PSKC)) {
      throw new SeedFileUnreadable("The file is no PSKC: its element is " + root.name() + ", not KeyContainer of " + PSKC + ".");
    }
    return root;
  }

  private static boolean is(XmlElement element, String name, String... namespaces) {
    return name.equals(element.name()) && Arrays.asList(namespaces).contains(element.namespace());
  }

  static Stream<XmlElement> all(XmlElement parent, String name, String... namespaces) {
    return parent.children().stream().filter(child -> is(child, name, namespaces));
  }

  static List<XmlElement> keyPackages(XmlElement root) {
    return all(root, "KeyPackage", PSKC).toList();
  }

  /** Returns the child; refuses several. */
  static Optional<XmlElement> child(XmlElement parent, String name, String... namespaces) {
    List<XmlElement> found = all(parent, name, namespaces).toList();
    if (found.size() > 1) {
      throw new SeedFileUnreadable(name + " stands several times in " + parent.name() + ".");
    }
    return found.stream().findFirst();
  }

  static XmlElement required(XmlElement parent, String name, String... namespaces) {
    return child(parent, name, namespaces)
        .orElseThrow(() -> new SeedFileUnreadable(parent.name() + " has no " + name + "."));
  }

  static String text(XmlElement element) {
    return element.text().strip();
  }

  static String algorithm(XmlElement element) {
    return element.attribute("Algorithm")
        .orElseThrow(() -> new SeedFileUnreadable(element.name() + " has no Algorithm."));
  }

  static byte[] base64(XmlElement element) {
    try {
      return Base64.getDecoder().decode(text(element).replaceAll("\\s", ""));
    } catch (IllegalArgumentException e) {
      throw new SeedFileUnreadable(element.name() + " is no base64.");
    }
  }

  static int number(XmlElement element, int most) {
    String text = text(element);
    if (!text.matches("[0-9]{1,10}") || Long.parseLong(text) > most) {
      throw new SeedFileUnreadable(element.name() + " is not a number from 0 to " + most + ".");
    }
    return Integer.parseInt(text);
  }
}
