package dev.gatehouse.common.realm.yaml;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes declared keys as tables in Markdown. */
public final class ReferencePage {

  public static final String HEAD =
      """
      # Keys of the configuration

      This page lists every key with its type, its default and a sentence, for administrators. It is generated from the declarations that the
      parser reads with: `./gatehouse schema page` writes it, and `./gatehouse schema realm` the same as a JSON Schema for editors.
      [Configuration](configuration.md) explains the folder, the notation and reloading.

      A default in italics is an example of a key that is off, absent or computed unless configured.
      """;

  private ReferencePage() {}

  public static String of(String file, Section keys) {
    StringBuilder page = new StringBuilder("\n## `").append(file).append("`\n");
    // Sections that several keys share are listed once.
    Map<Section, String> listed = new LinkedHashMap<>();
    section(page, "", keys, listed);
    return page.toString();
  }

  private static void section(StringBuilder page, String path, Section keys, Map<Section, String> listed) {
    listed.put(keys, path);
    if (!path.isEmpty()) {
      page.append("\n### `").append(path).append("`\n");
    }
    page.append("\n| key | value | default | what it says |\n|---|---|---|---|\n");
    for (Key<?> key : keys.keys()) {
      page.append("| `").append(key.name()).append("` | ").append(cell(value(key, path, listed))).append(" | ")
          .append(cell(usual(key))).append(" | ").append(cell(key.sentence())).append(" |\n");
    }
    for (Key<?> key : keys.keys()) {
      key.subsection()
          .filter(section -> !listed.containsKey(section))
          .ifPresent(section -> section(page, path(path, key), section, listed));
    }
  }

  private static String path(String parent, Key<?> key) {
    String path = parent.isEmpty() ? key.name() : parent + "." + key.name();
    return key.forms().contains(Key.Form.SECTIONS) ? path + "[]" : key.forms().contains(Key.Form.NAMED_SECTIONS) ? path + ".NAME" : path;
  }

  private static String value(Key<?> key, String path, Map<Section, String> listed) {
    return key.forms().stream()
        .sorted()
        .map(
            form ->
                switch (form) {
                  case SCALAR -> key.type().words();
                  case LIST -> "list: " + key.type().words();
                  case MAP -> "mapping to: " + key.type().words();
                  case LISTS -> "mapping to lists: " + key.type().words();
                  case SECTION -> "section `" + listed.getOrDefault(key.section(), path(path, key)) + "`";
                  case NAMED_SECTIONS -> "mapping to sections `" + listed.getOrDefault(key.section(), path(path, key)) + "`";
                  case SECTIONS -> "list of sections `" + listed.getOrDefault(key.section(), path(path, key)) + "`";
                })
        .collect(Collectors.joining("; or "));
  }

  private static String usual(Key<?> key) {
    if (key.isRequired()) {
      return "required, e.g. `" + key.example().orElse("") + "`";
    }
    return key.usual().map(usual -> "`" + usual + "`").or(() -> key.example().map(e -> "*`" + e + "`*")).orElse("");
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
