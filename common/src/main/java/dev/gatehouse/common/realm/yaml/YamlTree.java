package dev.gatehouse.common.realm.yaml;

import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** The values of a YAML text with their places, for readers that need no types. */
public sealed interface YamlTree {

  /**
   * A scalar.
   *
   * @param from its first code point in the text, with quotation marks
   * @param to behind its last code point
   */
  record Scalar(String text, int from, int to) implements YamlTree {}

  /** A list. */
  record Items(List<YamlTree> items) implements YamlTree {}

  /** A mapping, in its order. */
  record Entries(List<Entry> entries) implements YamlTree {}

  /** An entry of a mapping. */
  record Entry(String key, YamlTree value) {}

  /** Returns the entries of a mapping; none of anything else. */
  default List<Entry> entriesOrNone() {
    return this instanceof Entries mapping ? mapping.entries() : List.of();
  }

  /** Returns the text of a scalar that a mapping has under a key. */
  default Optional<String> scalar(String key) {
    return entriesOrNone().stream()
        .filter(entry -> entry.key().equals(key))
        .flatMap(entry -> entry.value() instanceof Scalar scalar ? Optional.of(scalar.text()).stream() : Optional.<String>empty().stream())
        .findFirst();
  }

  static YamlTree of(Node node) {
    return switch (node) {
      case MappingNode mapping ->
          new Entries(
              mapping.getValue().stream()
                  .map(tuple -> new Entry(tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "?", of(tuple.getValueNode())))
                  .toList());
      case SequenceNode sequence -> new Items(sequence.getValue().stream().map(YamlTree::of).toList());
      case ScalarNode scalar -> new Scalar(scalar.getValue(), scalar.getStartMark().getIndex(), scalar.getEndMark().getIndex());
      default -> new Items(List.of());
    };
  }
}
