package dev.gatehouse.common.saml;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.w3c.dom.Element;

/**
 * The md:Extensions of an entity and its roles, taken out of the tree before OpenSAML reads that: a malformed one shall be no
 * reason to refuse the rest.
 */
final class SetAsideExtensions {

  private final Map<Element, List<Element>> byParent = new IdentityHashMap<>();

  /** Of a descriptor whose signature was verified: the tree is changed. */
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
