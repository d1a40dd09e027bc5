package dev.gatehouse.common.realm.file;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads lists of methods (RFC 9110, section 9.1: methods are case-sensitive, and all registered ones are capitals). */
final class MethodsYaml {

  private MethodsYaml() {}

  /** Returns the methods; empty if the key is absent. */
  static Set<String> read(YamlSection section, String key) {
    Set<String> methods = new LinkedHashSet<>();
    List<YamlValue> values = section.values(key);
    values.forEach(value -> method(value).ifPresent(methods::add));
    if (section.has(key) && values.isEmpty()) {
      section.problem(key, "names no method", "write one or more, like [GET, POST], or remove the key for all methods");
    }
    return Collections.unmodifiableSet(methods);
  }

  private static Optional<String> method(YamlValue value) {
    if (value.text().equals("TRACE") || value.text().equals("CONNECT")) {
      return value.wrong(value.shown() + " is never let through", "remove it");
    }
    return value.text().matches("[A-Z][A-Z_-]{0,29}")
        ? Optional.of(value.text())
        : value.wrong(value.shown() + " is not a method", "write it in capitals, like GET");
  }
}
