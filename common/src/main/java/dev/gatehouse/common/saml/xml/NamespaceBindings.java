package dev.gatehouse.common.saml.xml;

import java.util.ArrayList;
import java.util.List;

/** The namespace declarations in force while {@link PlainXml} reads a document (Namespaces in XML 1.0, section 6). */
final class NamespaceBindings {

  /** Bounds the search at each use of a prefix. */
  private static final int MAX_BINDINGS = 50;

  /** A declared prefix, empty for the default namespace; an empty {@code uri} removes the declaration. */
  private record Binding(String prefix, String uri) {}

  private final List<Binding> bindings = new ArrayList<>();

  int size() {
    return bindings.size();
  }

  /** Leaves an element around which that many declarations are in force. */
  void cutTo(int around) {
    while (bindings.size() > around) {
      bindings.removeLast();
    }
  }

  /** Namespaces in XML 1.0, section 3; reserved declarations are not plain. */
  void declare(String prefix, String uri) {
    boolean reserved =
        prefix.equals("xml")
            || prefix.equals("xmlns")
            || uri.equals(XmlNamespace.XML)
            || uri.equals(XmlNamespace.XMLNS)
            || (uri.isEmpty() && !prefix.isEmpty());
    if (reserved || bindings.size() == MAX_BINDINGS) {
      throw NotPlain.INSTANCE;
    }
    bindings.add(new Binding(prefix, uri));
  }

  String attributeUriOf(String prefix) {
    return prefix.equals("xml") ? XmlNamespace.XML : boundUriOf(prefix);
  }

  String boundUriOf(String prefix) {
    String uri = uriOf(prefix);
    if (uri.isEmpty()) {
      throw NotPlain.INSTANCE;
    }
    return uri;
  }

  /** Returns the URI; empty if the prefix is not bound. */
  String uriOf(String prefix) {
    for (int i = bindings.size() - 1; i >= 0; i--) {
      if (bindings.get(i).prefix().equals(prefix)) {
        return bindings.get(i).uri();
      }
    }
    return "";
  }
}
