package dev.gatehouse.common.realm.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.yaml.snakeyaml.nodes.CollectionNode;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** One mapping of a configuration file, read by its declared keys; others in it are reported at once. */
public final class YamlSection {

  private final YamlSource source;
  private final String path;
  private final int line;
  private final Map<String, Entry> entries = new LinkedHashMap<>();

  /** Whether the node is not a mapping: then missing keys are not reported. */
  private boolean unreadable;

  private record Entry(int line, Node node) {}

  /** Returns the section of a node; empty, with a problem, if the node is not a mapping. */
  public static YamlSection of(YamlSource source, String path, int line, Node node, Section declared) {
    YamlSection section = new YamlSection(source, path, line);
    switch (node) {
      case MappingNode mapping -> {
        mapping.getValue().forEach(section::add);
        section.reportUnknownKeys(declared);
      }
      case ScalarNode scalar when scalar.getTag().equals(Tag.NULL) -> {}
      case Node other -> {
        source.problem(
            line(other), path.isEmpty() ? "-" : path, "is " + kind(other), "write keys and values here: `key: value`");
        section.unreadable = true;
      }
    }
    return section;
  }

  public static YamlSection empty(YamlSource source, String path, int line) {
    return new YamlSection(source, path, line);
  }

  private YamlSection(YamlSource source, String path, int line) {
    this.source = source;
    this.path = path;
    this.line = line;
  }

  private void add(NodeTuple tuple) {
    int at = line(tuple.getKeyNode());
    if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
      source.problem(at, path.isEmpty() ? "-" : path, "a key is not plain text", "write `key: value`");
      return;
    }
    Entry first = entries.putIfAbsent(key.getValue(), new Entry(at, tuple.getValueNode()));
    if (first != null) {
      source.problem(at, key(key.getValue()), "is there twice, first on line " + first.line(), "keep one of them");
    }
  }

  public int line() {
    return line;
  }

  /** Returns the line of the key, or the section's line if the key is absent. */
  public int line(Key<?> key) {
    Entry entry = entries.get(key.name());
    return entry == null ? line : entry.line();
  }

  /** Returns a path like {@code listeners.idp[0]}; empty for the root. */
  public String path() {
    return path;
  }

  public String key(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /** Returns whether the section has no key, without a problem that was already reported. */
  public boolean isEmpty() {
    return entries.isEmpty() && !unreadable;
  }

  /** Returns the present keys, for a mapping whose keys the administrator chooses. */
  public List<String> names() {
    return List.copyOf(entries.keySet());
  }

  public boolean has(Key<?> key) {
    return entries.containsKey(key.name());
  }

  /** Returns whether the key is absent, or has no value, an empty mapping or an empty list. */
  public boolean isEmpty(Key<?> key) {
    Entry entry = entries.get(key.name());
    return entry == null
        || entry.node().getTag().equals(Tag.NULL)
        || entry.node() instanceof CollectionNode<?> node && node.getValue().isEmpty();
  }

  /** Reports a problem of a key, or of the section if the key is absent. */
  public void problem(Key<?> key, String message, String remedy) {
    if (!unreadable) {
      source.problem(line(key), key(key.name()), message, remedy);
    }
  }

  /** Returns whether the key has a scalar, and not a mapping or a list. */
  public boolean isScalar(Key<?> key) {
    Entry entry = entries.get(key.name());
    return entry != null && entry.node() instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL);
  }

  public boolean isMapping(Key<?> key) {
    Entry entry = entries.get(key.name());
    return entry != null && entry.node() instanceof MappingNode;
  }

  /** Returns whether the key has a mapping with any key of its section. */
  public boolean hasAnyOf(Key<?> key) {
    return any(key).filter(any -> any.entries.keySet().stream().anyMatch(key.section()::has)).isPresent();
  }

  /** Returns whether the key has that plain word. */
  public boolean says(Key<?> key, String word) {
    return peek(key).filter(word::equals).isPresent();
  }

  /** Returns a scalar as written, to look ahead; its problems are reported where it is read. */
  public Optional<String> peek(Key<?> key) {
    return Optional.ofNullable(entries.get(key.name()))
        .flatMap(entry -> entry.node() instanceof ScalarNode scalar ? Optional.of(scalar.getValue()) : Optional.empty());
  }

  /** Returns the value that an absent key stands for. */
  public YamlValue assumed(Key<?> key, String text) {
    return new YamlValue(source, key(key.name()), line, text, text);
  }

  /** Returns the key's value; its default if it is absent or (with a problem) wrong. */
  public <T> T get(Key<T> key) {
    return find(key).or(() -> key.usual().flatMap(text -> key.type().parser().apply(assumed(key, text)))).orElseThrow();
  }

  /** Returns the key's value, or a default that depends on other keys. */
  public <T> T get(Key<T> key, T usual) {
    return find(key).orElse(usual);
  }

  /** Returns the key's value; empty, with a problem if it is wrong, or absent and required. */
  public <T> Optional<T> find(Key<T> key) {
    Entry entry = entries.get(key.name());
    if (entry == null && key.isRequired()) {
      problem(key, "is missing", key.remedy());
    }
    return entry == null
        ? Optional.empty()
        : scalar(key(key.name()), entry.line(), entry.node(), key.type()).flatMap(key.type().parser());
  }

  /** Returns the values of a list; those of its default if it is absent. */
  public <T> List<T> all(Key<T> key) {
    List<YamlValue> values = new ArrayList<>();
    if (has(key)) {
      items(key.name(), (name, at, node) -> scalar(name, at, node, key.type()).ifPresent(values::add));
    } else {
      String usual = key.usual().orElse("[]");
      for (String item : usual.substring(1, usual.length() - 1).split(", ", 0)) {
        if (!item.isEmpty()) {
          values.add(assumed(key, item));
        }
      }
    }
    return values.stream().flatMap(value -> key.type().parser().apply(value).stream()).toList();
  }

  /** Returns the values of a mapping whose keys the administrator chooses. Empty if absent. */
  public <T> Map<String, T> map(Key<T> key) {
    Map<String, T> map = new LinkedHashMap<>();
    any(key).ifPresent(any -> any.map(key.type()).forEach(map::put));
    return map;
  }

  /** Returns this mapping, whose keys the administrator chooses. */
  private <T> Map<String, T> map(Type<T> type) {
    Map<String, T> map = new LinkedHashMap<>();
    entries.forEach(
        (name, entry) ->
            scalar(key(name), entry.line(), entry.node(), type).flatMap(type.parser()).ifPresent(value -> map.put(name, value)));
    return map;
  }

  /** Returns a mapping from keys that the administrator chooses to lists of scalars. Empty if absent. */
  public <T> Map<String, List<T>> lists(Key<T> key) {
    Map<String, List<T>> map = new LinkedHashMap<>();
    eachList(key, (section, name) -> map.put(name.name(), section.all(name)));
    return map;
  }

  /** Passes on a mapping from keys that the administrator chooses to lists of scalars: the section and each of its keys. */
  public <T> void eachList(Key<T> key, BiConsumer<YamlSection, Key<T>> list) {
    any(key)
        .ifPresent(
            any -> any.entries.keySet().forEach(name -> list.accept(any, new Key<>(name, key.forms(), key.type(), null, "", "", ""))));
  }

  private Optional<YamlSection> any(Key<?> key) {
    return Optional.ofNullable(entries.get(key.name())).map(e -> of(source, key(key.name()), e.line(), e.node(), Section.ANY));
  }

  public Optional<YamlSection> section(Key<?> key) {
    return Optional.ofNullable(entries.get(key.name()))
        .map(e -> of(source, key(key.name()), e.line(), e.node(), key.section()));
  }

  public YamlSection sectionOrEmpty(Key<?> key) {
    return section(key).orElseGet(() -> empty(source, key(key.name()), line));
  }

  /** Returns the mappings of a list. Empty if absent. */
  public List<YamlSection> sections(Key<?> key) {
    List<YamlSection> sections = new ArrayList<>();
    items(key.name(), (name, at, node) -> sections.add(of(source, name, at, node, key.section())));
    return sections;
  }

  /** Returns the mappings of a mapping whose keys the administrator chooses, by these. Empty if absent. */
  public Map<String, YamlSection> namedSections(Key<?> key) {
    Map<String, YamlSection> sections = new LinkedHashMap<>();
    any(key)
        .ifPresent(
            any ->
                any.entries.forEach(
                    (name, entry) -> sections.put(name, of(source, any.key(name), entry.line(), entry.node(), key.section()))));
    return sections;
  }

  /** Passes on the scalars and mappings of a list, in order; a single one is a list of one. */
  public <T> void each(Key<T> key, Consumer<T> scalar, Consumer<YamlSection> mapping) {
    items(
        key.name(),
        (name, at, node) -> {
          if (node instanceof MappingNode) {
            mapping.accept(of(source, name, at, node, key.section()));
          } else {
            scalar(name, at, node, key.type()).flatMap(key.type().parser()).ifPresent(scalar);
          }
        });
  }

  private interface Item {
    void read(String key, int line, Node node);
  }

  private void items(String name, Item item) {
    Entry entry = entries.get(name);
    if (entry == null) {
      return;
    }
    switch (entry.node()) {
      case SequenceNode sequence -> {
        int i = 0;
        for (Node node : sequence.getValue()) {
          item.read(key(name) + "[" + i++ + "]", line(node), node);
        }
      }
      case ScalarNode scalar when scalar.getTag().equals(Tag.NULL) -> {}
      case Node single -> item.read(key(name), entry.line(), single);
    }
  }

  private Optional<YamlValue> scalar(String key, int at, Node node, Type<?> type) {
    if (node instanceof MappingNode mapping && SecretReference.of(mapping).isPresent()) {
      return new SecretReference(source, key, at).value(mapping, type);
    }
    if (!(node instanceof ScalarNode scalar)) {
      source.problem(at, key, "is " + kind(node), "write one value here");
      return Optional.empty();
    }
    if (scalar.getTag().equals(Tag.NULL) || scalar.getValue().isEmpty()) {
      source.problem(at, key, "has no value", "give it one, or remove the key");
      return Optional.empty();
    }
    if (source.files().isRevision() && (type.isSecret() || type.isSecretFile())) {
      source.problem(at, key, "is a secret, which no revision in the database contains", SecretReference.REMEDY);
      return Optional.empty();
    }
    Optional<String> filled = source.fillIn(at, key, scalar.getValue());
    if (filled.isPresent() && filled.get().isEmpty()) {
      source.problem(at, key, "is empty after its environment variable was filled in", "give the variable a value");
      return Optional.empty();
    }
    Optional<YamlValue> value = filled.map(text -> new YamlValue(source, key, at, text, scalar.getValue()));
    value.ifPresent(read -> type.reach().ifPresent(read::reaching));
    return value;
  }

  private void reportUnknownKeys(Section declared) {
    entries.forEach(
        (name, entry) -> {
          if (declared != Section.ANY && !declared.has(name)) {
            source.problem(entry.line(), key(name), "is not a known key", declared.remedy(name, source.places()));
          }
        });
  }

  private static int line(Node node) {
    return node.getStartMark().getLine() + 1;
  }

  private static String kind(Node node) {
    return switch (node) {
      case MappingNode mapping -> "a mapping";
      case SequenceNode sequence -> "a list";
      case Node scalar -> "a single value";
    };
  }
}
