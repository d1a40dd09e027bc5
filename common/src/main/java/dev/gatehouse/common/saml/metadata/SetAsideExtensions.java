package dev.gatehouse.common.saml.metadata;

import dev.gatehouse.common.saml.xml.Dom;
import dev.gatehouse.common.saml.xml.XmlNamespace;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Element;

/**
 * The md:Extensions of an entity and its roles, removed from the tree before OpenSAML reads it: a malformed extension must not
 * cause the refusal of the rest.
 */
final class SetAsideExtensions {

  private final Map<Element, List<Element>> byParent = new IdentityHashMap<>();

  /** Removes the extensions of a descriptor whose signature was verified, because this changes the tree. */
  SetAsideExtensions(Element entity) {
    setAside(entity);
    Dom.children(entity).forEach(this::setAside);
  }

  private void setAside(Element parent) {
    List<Element> extensions = Dom.children(parent, XmlNamespace.MD, "Extensions");
    if (!extensions.isEmpty()) {
      byParent.put(parent, extensions);
      extensions.forEach(parent::removeChild);
    }
  }

  List<Element> of(Element parent) {
    return byParent.getOrDefault(parent, List.of());
  }
}
