package dev.gatehouse.common.realm.file;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * One mapping of a configuration file, read key by key. It remembers which keys were requested: these are the known keys, and any
 * other key in the mapping is reported.
 */
final class YamlSection {

  private final YamlSource source;
  private final String path;
  private final int line;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Set<String> requested = new LinkedHashSet<>();

  /** Whether the node is not a mapping: then missing keys are not reported. */
  private boolean unreadable;

  private record Entry(int line, Node node) {}

  /** Returns the section of a node; empty, with a problem, if the node is not a mapping. */
  static YamlSection of(YamlSource source, String path, int line, Node node) {
    YamlSection section = new YamlSection(source, path, line);
    switch (node) {
      case MappingNode mapping -> mapping.getValue().forEach(section::add);
      case ScalarNode scalar when scalar.getTag().equals(Tag.NULL) -> {}
      case Node other -> {
        source.problem(
            line(other), path.isEmpty() ? "-" : path, "is " + kind(other), "write keys and values here: `key: value`");
        section.unreadable = true;
      }
    }
    return section;
  }

  static YamlSection empty(YamlSource source, String path, int line) {
    return new YamlSection(source, path, line);
  }

  private YamlSection(YamlSource source, String path, int line) {
    this.source = source;
    this.path = path;
    this.line = line;
    source.opened(this);
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

  int line() {
    return line;
  }

  /** Returns the line of the key, or the section's line if the key is absent. */
  int line(String name) {
    Entry entry = entries.get(name);
    return entry == null ? line : entry.line();
  }

  /** Returns a path like {@code listeners.idp[0]}; empty for the root. */
  String path() {
    return path;
  }

  String key(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /** Whether the section has no key, without a problem that was already reported. */
  boolean isEmpty() {
    return entries.isEmpty() && !unreadable;
  }

  /** Returns the present keys, for a mapping whose keys the administrator chooses. */
  List<String> names() {
    return List.copyOf(entries.keySet());
  }

  boolean has(String name) {
    return entries.containsKey(name);
  }

  void problem(String name, String message, String remedy) {
    if (!unreadable) {
      source.problem(line(name), key(name), message, remedy);
    }
  }

  /** Whether the key has a scalar, and not a mapping or a list. */
  boolean isScalar(String name) {
    Entry entry = entries.get(name);
    return entry != null && entry.node() instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL);
  }

  boolean isMapping(String name) {
    Entry entry = entries.get(name);
    return entry != null && entry.node() instanceof MappingNode;
  }

  /** Returns the key's scalar; empty, with a problem, if it is something else or has no value. */
  Optional<YamlValue> value(String name) {
    requested.add(name);
    return Optional.ofNullable(entries.get(name)).flatMap(entry -> scalar(key(name), entry.line(), entry.node()));
  }

  /** Returns a scalar as written, to look ahead; its problems are reported where it is read. */
  Optional<String> peek(String name) {
    return Optional.ofNullable(entries.get(name))
        .flatMap(entry -> entry.node() instanceof ScalarNode scalar ? Optional.of(scalar.getValue()) : Optional.empty());
  }

  /** Returns the value that a missing key stands for; empty if the key is present. */
  Optional<YamlValue> assumed(String name, String text) {
    return has(name) ? Optional.empty() : Optional.of(new YamlValue(source, key(name), line, text, text));
  }

  /** Returns the key's value, or the fallback if it is absent or (with a problem) wrong. */
  <T> T read(String name, T fallback, Function<YamlValue, Optional<T>> parser) {
    return value(name).flatMap(parser).orElse(fallback);
  }

  /** Returns the key's value; empty, with a problem, if it is absent or wrong. */
  <T> Optional<T> required(String name, Function<YamlValue, Optional<T>> parser, String remedy) {
    if (!has(name)) {
      requested.add(name);
      problem(name, "is missing", remedy);
      return Optional.empty();
    }
    return value(name).flatMap(parser);
  }

  Optional<YamlSection> section(String name) {
    requested.add(name);
    return Optional.ofNullable(entries.get(name)).map(e -> of(source, key(name), e.line(), e.node()));
  }

  YamlSection sectionOrEmpty(String name) {
    return section(name).orElseGet(() -> empty(source, key(name), line));
  }

  /** Returns the scalars of a list; one scalar is a list of one. Empty if absent. */
  List<YamlValue> values(String name) {
    List<YamlValue> values = new ArrayList<>();
    items(name, (key, at, node) -> scalar(key, at, node).ifPresent(values::add));
    return values;
  }

  /** Returns the mappings of a list. Empty if absent. */
  List<YamlSection> sections(String name) {
    List<YamlSection> sections = new ArrayList<>();
    items(name, (key, at, node) -> sections.add(of(source, key, at, node)));
    return sections;
  }

  /** Passes on the scalars and mappings of a list, in order; a single one is a list of one. */
  void each(String name, Consumer<YamlValue> scalar, Consumer<YamlSection> mapping) {
    items(
        name,
        (key, at, node) -> {
          if (node instanceof MappingNode) {
            mapping.accept(of(source, key, at, node));
          } else {
            scalar(key, at, node).ifPresent(scalar);
          }
        });
  }

  /** Whether the key has that plain word. */
  boolean says(String name, String word) {
    Entry entry = entries.get(name);
    return entry != null && entry.node() instanceof ScalarNode scalar && scalar.getValue().equals(word);
  }

  /** Returns this mapping, whose keys the administrator chooses. */
  Map<String, YamlValue> all() {
    Map<String, YamlValue> map = new LinkedHashMap<>();
    entries.keySet().forEach(k -> value(k).ifPresent(v -> map.put(k, v)));
    return map;
  }

  /** Returns a mapping whose keys the administrator chooses. Empty if absent. */
  Map<String, YamlValue> map(String name) {
    return section(name).map(YamlSection::all).orElseGet(Map::of);
  }

  /** Returns a mapping from keys that the administrator chooses to lists of scalars. Empty if absent. */
  Map<String, List<YamlValue>> mapOfLists(String name) {
    Map<String, List<YamlValue>> map = new LinkedHashMap<>();
    section(name).ifPresent(section -> section.entries.keySet().forEach(k -> map.put(k, section.values(k))));
    return map;
  }

  private interface Item {
    void read(String key, int line, Node node);
  }

  private void items(String name, Item item) {
    requested.add(name);
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

  private Optional<YamlValue> scalar(String key, int at, Node node) {
    if (!(node instanceof ScalarNode scalar)) {
      source.problem(at, key, "is " + kind(node), "write one value here");
      return Optional.empty();
    }
    if (scalar.getTag().equals(Tag.NULL) || scalar.getValue().isEmpty()) {
      source.problem(at, key, "has no value", "give it one, or remove the key");
      return Optional.empty();
    }
    Optional<String> filled = source.fillIn(at, key, scalar.getValue());
    if (filled.isPresent() && filled.get().isEmpty()) {
      source.problem(at, key, "is empty after its environment variable was filled in", "give the variable a value");
      return Optional.empty();
    }
    return filled.map(text -> new YamlValue(source, key, at, text, scalar.getValue()));
  }

  void reportUnknownKeys() {
    entries.forEach(
        (name, entry) -> {
          if (!requested.contains(name)) {
            String nearest = SpellingHints.nearest(name, requested).map(known -> "did you mean " + known + "? ").orElse("");
            String place =
                nearest.isEmpty() ? MisplacedKeyHints.hint(name).map(hint -> hint + "; ").orElse("") : "";
            String remedy = nearest + place + "known here: " + String.join(", ", requested);
            source.problem(entry.line(), key(name), "is not a known key", remedy);
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
