package dev.gatehouse.common.realm.yaml;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * A mapping at the top of a YAML text, like {@code brand} of a realm. A change of it leaves the rest of the text as it is, with its
 * comments; those within the mapping are lost.
 */
public final class YamlMapping {

  private final String text;
  private final String key;
  private final Map<String, Object> root;
  private final Optional<NodeTuple> tuple;

  /**
   * Reads the mapping with that key.
   *
   * @throws IllegalArgumentException if the text is not YAML, or has another value there
   */
  public YamlMapping(String text, String key) {
    this.text = text;
    this.key = key;
    Optional<Node> found = YamlDocument.node(text).filter(node -> !node.getTag().equals(Tag.NULL));
    if (found.isPresent() && !(found.get() instanceof MappingNode mapping && mapping.getFlowStyle() == DumperOptions.FlowStyle.BLOCK)) {
      throw new IllegalArgumentException("The file has no keys on lines of their own.");
    }
    this.root = found.map(node -> YamlList.mapping((MappingNode) node)).orElse(Map.of());
    this.tuple =
        found.stream()
            .flatMap(node -> ((MappingNode) node).getValue().stream())
            .filter(entry -> entry.getKeyNode() instanceof ScalarNode name && name.getValue().equals(key))
            .findFirst();
    Object value = root.get(key);
    if (value != null && !(value instanceof Map)) {
      throw new IllegalArgumentException(key + " has no keys.");
    }
  }

  /** Returns the value: texts, numbers, truth values, lists and mappings; empty if the key is absent. */
  public Map<String, Object> value() {
    Map<String, Object> value = new LinkedHashMap<>();
    if (root.get(key) instanceof Map<?, ?> present) {
      present.forEach((name, below) -> value.put(String.valueOf(name), below));
    }
    return value;
  }

  /** Returns the text with another mapping in place of this one. */
  public String replaced(Map<String, Object> value) {
    String lines = value.isEmpty() ? key + ": {}" : key + ":\n  " + YamlList.block(value, 2);
    if (tuple.isEmpty()) {
      return checked(YamlList.ended(text) + lines + "\n", value);
    }
    int from = offset(tuple.get().getKeyNode().getStartMark().getIndex());
    int end = offset(tuple.get().getValueNode().getEndMark().getIndex());
    return checked(text.substring(0, from) + lines + text.substring(YamlList.end(text, from, end)), value);
  }

  /** An edit that went wrong changes nothing. */
  private String checked(String changed, Map<String, Object> value) {
    Map<String, Object> expected = new LinkedHashMap<>(root);
    expected.put(key, value);
    if (!new YamlMapping(changed, key).root.equals(expected)) {
      throw new IllegalArgumentException("This notation of " + key + " cannot be changed.");
    }
    return changed;
  }

  /** Marks count code points. */
  private int offset(int codePoints) {
    return text.offsetByCodePoints(0, codePoints);
  }
}
