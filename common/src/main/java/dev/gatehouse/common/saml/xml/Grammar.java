package dev.gatehouse.common.saml.xml;

import static dev.gatehouse.common.saml.SamlRefusal.Reason.SCHEMA;

import dev.gatehouse.common.saml.MessageRefused;
import dev.gatehouse.common.saml.signature.EnvelopedSignature;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Attr;
import org.w3c.dom.Element;
import org.w3c.dom.NamedNodeMap;
import org.w3c.dom.Node;
import org.w3c.dom.Text;

/**
 * A compact notation for the structure of documents, and the check against it: which attributes and children an element may have,
 * in which order and how often. Each element has one line:
 *
 * <pre>
 * saml2:Subject =             (saml2:NameID | saml2:BaseID)? saml2:SubjectConfirmation*
 * saml2:NameID @Format @Must! = text
 * saml2:Advice =              any
 * ds:Signature =              signature
 * </pre>
 *
 * {@code !} marks required attributes; {@code ? * +} count children; {@code text} has no child elements; {@code any} accepts
 * every element whose name the grammar does not reserve; {@code signature} is left to {@link EnvelopedSignature}. Everything that
 * a line does not name is refused, except attributes of foreign namespaces, which are never read.
 */
public final class Grammar {

  private enum Content {
    SEQUENCE,
    TEXT,
    ANY,
    SIGNATURE
  }

  private record Name(XmlNamespace namespace, String local) {
    boolean names(Element element) {
      return Dom.is(element, namespace, local);
    }
  }

  /** One particle of a sequence: any of {@code names}, between {@code least} and {@code most} times. */
  private record Particle(List<Name> names, int least, int most) {
    boolean takes(Element element) {
      for (Name name : names) {
        if (name.names(element)) {
          return true;
        }
      }
      return false;
    }
  }

  private record Rule(Set<String> required, Set<String> allowed, Content content, List<Particle> particles) {}

  private final Map<String, Map<String, Rule>> rules = new HashMap<>();
  private final List<Name> reserved;

  /**
   * @param notation the lines; blank ones and those that begin with {@code #} are ignored
   * @param reserved names, separated by spaces, that may not occur inside {@code any}
   */
  public Grammar(String notation, String reserved) {
    notation.lines().map(String::strip).filter(l -> !l.isEmpty() && !l.startsWith("#")).forEach(this::addRule);
    this.reserved = List.of(reserved.split(" ")).stream().map(Grammar::name).toList();
  }

  /** Checks the element and all its descendants; throws {@link MessageRefused}. */
  public void check(Element element) {
    @Nullable Rule rule = rule(element);
    if (rule == null) {
      throw new MessageRefused(SCHEMA, "an element that is not expected: " + Dom.name(element));
    }
    checkAttributes(element, rule);
    switch (rule.content()) {
      case SEQUENCE -> checkSequence(element, rule);
      case TEXT -> checkChildren(element, true, child -> {
        throw new MessageRefused(SCHEMA, "an element inside the text of " + Dom.name(element));
      });
      case ANY -> checkChildren(element, true, this::checkAny);
      case SIGNATURE -> {}
    }
  }

  private static void checkAttributes(Element element, Rule rule) {
    NamedNodeMap attributes = element.getAttributes();
    int found = 0;
    for (int i = 0; i < attributes.getLength(); i++) {
      Attr attribute = (Attr) attributes.item(i);
      if (attribute.getNamespaceURI() != null) {
        checkForeign(element, attribute);
        continue;
      }
      String name = attribute.getName();
      if (!rule.allowed().contains(name)) {
        throw new MessageRefused(SCHEMA, "an attribute that is not expected on " + Dom.name(element));
      }
      if (rule.required().contains(name)) {
        found++;
      }
      if (name.equals("ID") && !isNcName(attribute.getValue())) {
        throw new MessageRefused(SCHEMA, "an ID that is no NCName on " + Dom.name(element));
      }
    }
    if (found != rule.required().size()) {
      throw new MessageRefused(SCHEMA, Dom.name(element) + " lacks one of " + rule.required());
    }
  }

  /** Refuses xml:id: a second kind of ID would be a second way to refer to an element. */
  private static void checkForeign(Element element, Attr attribute) {
    if (XmlNamespace.XML.equals(attribute.getNamespaceURI()) && "id".equals(attribute.getLocalName())) {
      throw new MessageRefused(SCHEMA, "xml:id on " + Dom.name(element));
    }
  }

  /** Namespaces in XML 1.0, section 3, but only with letters and digits of ASCII, as software generates IDs. */
  private static boolean isNcName(String id) {
    for (int i = 0; i < id.length(); i++) {
      char c = id.charAt(i);
      boolean starts = c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean follows = starts || c == '-' || c == '.' || (c >= '0' && c <= '9');
      if (i == 0 ? !starts : !follows) {
        return false;
      }
    }
    return !id.isEmpty();
  }

  private void checkSequence(Element parent, Rule rule) {
    Sequence sequence = new Sequence(parent, rule.particles());
    checkChildren(
        parent,
        false,
        child -> {
          sequence.take(child);
          check(child);
        });
    sequence.end();
  }

  private static void checkChildren(Element parent, boolean textAllowed, Consumer<Element> check) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      switch (node) {
        case Element child -> check.accept(child);
        case Text text when textAllowed || text.getData().isBlank() -> {}
        default -> throw new MessageRefused(SCHEMA, "text between the elements of " + Dom.name(parent));
      }
    }
  }

  private void checkAny(Element element) {
    for (Name name : reserved) {
      if (name.names(element)) {
        throw new MessageRefused(SCHEMA, Dom.name(element) + " hidden where anything may stand");
      }
    }
    NamedNodeMap attributes = element.getAttributes();
    for (int i = 0; i < attributes.getLength(); i++) {
      checkForeign(element, (Attr) attributes.item(i));
    }
    checkChildren(element, true, this::checkAny);
  }

  private @Nullable Rule rule(Element element) {
    @Nullable Map<String, Rule> ofNamespace = rules.get(String.valueOf(element.getNamespaceURI()));
    return ofNamespace == null ? null : ofNamespace.get(element.getLocalName());
  }

  /**
   * Matches children against one sequence. Adjacent particles have distinct names, so the first match is the only one.
   */
  private static final class Sequence {
    private final Element parent;
    private final List<Particle> particles;
    private int at;
    private int taken;

    Sequence(Element parent, List<Particle> particles) {
      this.parent = parent;
      this.particles = particles;
    }

    void take(Element child) {
      while (at < particles.size()) {
        Particle particle = particles.get(at);
        if (taken < particle.most() && particle.takes(child)) {
          taken++;
          return;
        }
        leaveParticle(particle);
      }
      throw new MessageRefused(SCHEMA, Dom.name(child) + " is not expected there in " + Dom.name(parent));
    }

    void end() {
      while (at < particles.size()) {
        leaveParticle(particles.get(at));
      }
    }

    private void leaveParticle(Particle particle) {
      if (taken < particle.least()) {
        throw new MessageRefused(SCHEMA, Dom.name(parent) + " lacks " + particle.names().getFirst().local());
      }
      at++;
      taken = 0;
    }
  }

  private void addRule(String line) {
    int equals = line.indexOf('=');
    String[] head = line.substring(0, equals).strip().split("\\s+");
    Set<String> required = new HashSet<>();
    Set<String> allowed = new HashSet<>();
    for (int i = 1; i < head.length; i++) {
      String attribute = head[i].substring(1);
      if (attribute.endsWith("!")) {
        attribute = attribute.substring(0, attribute.length() - 1);
        required.add(attribute);
      }
      allowed.add(attribute);
    }
    String body = line.substring(equals + 1).strip();
    Rule rule =
        switch (body) {
          case "text" -> new Rule(Set.copyOf(required), Set.copyOf(allowed), Content.TEXT, List.of());
          case "any" -> new Rule(Set.copyOf(required), Set.copyOf(allowed), Content.ANY, List.of());
          case "signature" -> new Rule(Set.copyOf(required), Set.copyOf(allowed), Content.SIGNATURE, List.of());
          default -> new Rule(Set.copyOf(required), Set.copyOf(allowed), Content.SEQUENCE, particles(body));
        };
    Name name = name(head[0]);
    rules.computeIfAbsent(name.namespace().uri(), uri -> new HashMap<>()).put(name.local(), rule);
  }

  private static List<Particle> particles(String body) {
    List<Particle> particles = new ArrayList<>();
    String joined = body.replaceAll("\\s*\\|\\s*", "|");
    for (String token : joined.isEmpty() ? new String[0] : joined.split("\\s+")) {
      char last = token.charAt(token.length() - 1);
      boolean counted = "?*+".indexOf(last) >= 0;
      String names = counted ? token.substring(0, token.length() - 1) : token;
      if (names.startsWith("(")) {
        names = names.substring(1, names.length() - 1);
      }
      List<Name> choice = new ArrayList<>();
      for (String name : names.split("\\|")) {
        choice.add(name(name));
      }
      int least = last == '?' || last == '*' ? 0 : 1;
      int most = last == '*' || last == '+' ? Integer.MAX_VALUE : 1;
      particles.add(new Particle(List.copyOf(choice), least, most));
    }
    return List.copyOf(particles);
  }

  private static final Map<String, XmlNamespace> PREFIXES = new HashMap<>();

  static {
    for (XmlNamespace namespace : XmlNamespace.values()) {
      PREFIXES.put(namespace.prefix(), namespace);
    }
  }

  private static Name name(String prefixed) {
    int colon = prefixed.indexOf(':');
    @Nullable XmlNamespace namespace = PREFIXES.get(prefixed.substring(0, Math.max(colon, 0)));
    if (namespace == null) {
      throw new IllegalArgumentException("a grammar names an unknown prefix: " + prefixed);
    }
    return new Name(namespace, prefixed.substring(colon + 1));
  }
}
