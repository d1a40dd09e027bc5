package dev.gatehouse.common.revision;

import dev.gatehouse.common.realm.file.ConfigurationSchema;
import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Key.Form;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.YamlDocument;
import dev.gatehouse.common.realm.yaml.YamlTree;
import dev.gatehouse.common.realm.yaml.YamlTree.Entries;
import dev.gatehouse.common.realm.yaml.YamlTree.Entry;
import dev.gatehouse.common.realm.yaml.YamlTree.Items;
import dev.gatehouse.common.realm.yaml.YamlTree.Scalar;
import dev.gatehouse.common.revision.DeclaredValue.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads all values of a realm's file by the declared keys; the file need not be valid. */
final class DeclaredValues {

  /** A reference to an environment variable alone, which may be shown. */
  private static final Pattern REFERENCE = Pattern.compile("\\$\\{[A-Za-z_][A-Za-z0-9_]*}");

  private static final String LITERAL = "literal:";
  private static final String SECRET = "secret";

  /** Lists at the top of a realm's file: their kind, and the keys that identify an entry. */
  private static final Map<String, Named> LISTS =
      Map.of(
          "partners", new Named("partner", List.of("entityId")),
          "clients", new Named("client", List.of("clientId")),
          "providers", new Named("provider", List.of("issuer")),
          "policies", new Named("policy", List.of("name")),
          "routes", new Named("route", List.of("name", "path")));

  private record Named(String kind, List<String> identity) {}

  private final List<DeclaredValue> values = new ArrayList<>();

  private DeclaredValues() {}

  /** Returns the values in the order of the text; none if it is not YAML. */
  static List<DeclaredValue> of(String text) {
    return read(text).orElse(List.of());
  }

  /** Returns the values in the order of the text; empty if it is not YAML, or has no value. */
  static Optional<List<DeclaredValue>> read(String text) {
    return YamlDocument.tree(text)
        .map(
            root -> {
              DeclaredValues all = new DeclaredValues();
              all.root(root);
              return all.values;
            });
  }

  private void root(YamlTree root) {
    for (Entry entry : root.entriesOrNone()) {
      String name = entry.key();
      Key<?> key = key(ConfigurationSchema.REALM.keys(), name);
      Named named = LISTS.get(name);
      if (named != null) {
        entriesOf(named, entry.value(), key);
      } else if (name.equals("idp")) {
        idp(entry.value(), key);
      } else {
        value(new Subject("setting", name), name, entry.value(), key);
      }
    }
  }

  /** The contracts of an identity provider are subjects of their own. */
  private void idp(YamlTree idp, @Nullable Key<?> declared) {
    for (Entry entry : idp.entriesOrNone()) {
      Key<?> key = key(section(declared), entry.key());
      if (entry.key().equals("contracts")) {
        for (Entry contract : entry.value().entriesOrNone()) {
          Subject subject = new Subject("contract", contract.key());
          value(subject, contract.key(), contract.value(), key(section(key), contract.key()));
        }
      } else {
        value(new Subject("setting", "idp"), "idp." + entry.key(), entry.value(), key);
      }
    }
  }

  /** A single entry is a list of one. */
  private void entriesOf(Named named, YamlTree node, @Nullable Key<?> key) {
    List<YamlTree> items = node instanceof Items list ? list.items() : List.of(node);
    for (int i = 0; i < items.size(); i++) {
      Subject subject = new Subject(named.kind(), identity(items.get(i), named.identity()).orElse("[" + i + "]"));
      for (Entry entry : items.get(i).entriesOrNone()) {
        value(subject, entry.key(), entry.value(), key(section(key), entry.key()));
      }
    }
  }

  private void value(Subject subject, String field, YamlTree node, @Nullable Key<?> key) {
    switch (node) {
      case Scalar scalar -> add(subject, field, List.of(scalar), scalar.text(), key);
      case Entries reference when key != null && key.takesSecret() && !isMap(key, field) && reference.scalar(SECRET).isPresent() ->
          values.add(new DeclaredValue(subject, field, "{secret: " + reference.scalar(SECRET).get() + "}", false, List.of(), Optional.of(key)));
      case Entries mapping -> {
        for (Entry entry : mapping.entries()) {
          value(subject, field + "." + entry.key(), entry.value(), below(key, entry.key()));
        }
      }
      case Items list -> list(subject, field, list.items(), key);
    }
  }

  private void list(Subject subject, String field, List<YamlTree> items, @Nullable Key<?> key) {
    List<Scalar> scalars =
        items.stream().flatMap(item -> item instanceof Scalar scalar ? Stream.of(scalar) : Stream.empty()).toList();
    if (scalars.size() == items.size()) {
      String text = scalars.stream().map(Scalar::text).collect(Collectors.joining(", ", "[", "]"));
      add(subject, field, scalars, text, key);
      return;
    }
    for (int i = 0; i < items.size(); i++) {
      String name = identity(items.get(i), List.of("name")).orElse(String.valueOf(i + 1));
      value(subject, field + "[" + name + "]", items.get(i), key);
    }
  }

  private void add(Subject subject, String field, List<Scalar> nodes, String text, @Nullable Key<?> key) {
    // What is not declared could be anything.
    boolean hidden = key == null || key.isSecret() || nodes.stream().anyMatch(node -> node.text().startsWith(LITERAL));
    boolean reference = nodes.stream().allMatch(node -> REFERENCE.matcher(node.text()).matches());
    values.add(new DeclaredValue(subject, field, text, hidden && !reference, nodes, Optional.ofNullable(key)));
  }

  private static Optional<String> identity(YamlTree node, List<String> keys) {
    return keys.stream().flatMap(key -> node.scalar(key).stream()).findFirst();
  }

  /** A map of values that may be secrets can have a value named {@code secret}. */
  private static boolean isMap(Key<?> key, String field) {
    return key.forms().contains(Form.MAP) && (field.equals(key.name()) || field.endsWith("." + key.name()));
  }

  /** Returns the declared key of an entry; that of the mapping, where administrators choose the names of entries. */
  private static @Nullable Key<?> below(@Nullable Key<?> key, String name) {
    if (key != null && key.forms().contains(Form.NAMED_SECTIONS)) {
      // One of these sections, whatever its name: an entry may be called like a key.
      return new Section().section(name, key.section(), "");
    }
    Key<?> declared = key(section(key), name);
    boolean named = key != null && (key.forms().contains(Form.MAP) || key.forms().contains(Form.LISTS));
    return declared == null && named ? key : declared;
  }

  private static Section section(@Nullable Key<?> key) {
    return key == null ? Section.ANY : key.subsection().orElse(Section.ANY);
  }

  private static @Nullable Key<?> key(Section section, String name) {
    return section.keys().stream().filter(key -> key.name().equals(name)).findFirst().orElse(null);
  }
}
