package dev.gatehouse.common.realm.yaml;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The keys at the top of a YAML text. A change of some of them leaves the rest of the text as it is, with its comments; those within a
 * changed key are lost.
 */
public final class YamlKeys {

  private final String text;
  private final Map<String, NodeTuple> tuples = new LinkedHashMap<>();
  private final Map<String, Object> value;

  /**
   * Reads the keys.
   *
   * @throws IllegalArgumentException if the text is not YAML, or has no keys on lines of their own
   */
  public YamlKeys(String text) {
    this.text = text;
    Optional<Node> found = YamlDocument.node(text).filter(node -> !node.getTag().equals(Tag.NULL));
    if (found.isPresent() && !(found.get() instanceof MappingNode mapping && mapping.getFlowStyle() == DumperOptions.FlowStyle.BLOCK)) {
      throw new IllegalArgumentException("The file has no keys on lines of their own.");
    }
    this.value = found.map(node -> YamlList.mapping((MappingNode) node)).orElse(Map.of());
    found.ifPresent(
        node ->
            ((MappingNode) node)
                .getValue()
                .forEach(
                    tuple -> {
                      if (tuple.getKeyNode() instanceof ScalarNode name) {
                        tuples.put(name.getValue(), tuple);
                      }
                    }));
  }

  /** Returns the beginning of the next line if only a comment, or nothing, is between; it belongs to the key that ends here. */
  private int lineEnd(int end) {
    int next = text.indexOf('\n', end);
    String rest = text.substring(end, next < 0 ? text.length() : next).strip();
    return next >= 0 && (rest.isEmpty() || rest.startsWith("#")) ? next + 1 : end;
  }

  /** Returns the values by their keys: texts, numbers, truth values, lists and mappings. */
  public Map<String, Object> value() {
    return Collections.unmodifiableMap(value);
  }

  /**
   * Returns the text with other values.
   *
   * @param wanted new values by their keys
   * @param removed keys that shall be absent
   */
  public String changed(Map<String, Object> wanted, Set<String> removed) {
    Map<String, Object> expected = new LinkedHashMap<>(value);
    expected.keySet().removeAll(removed);
    expected.putAll(wanted);
    StringBuilder changed = new StringBuilder(text);
    List<String> present = new ArrayList<>(tuples.keySet());
    present.removeIf(key -> Objects.equals(expected.get(key), value.get(key)) && expected.containsKey(key));
    // From the last to the first: what stands before keeps its place.
    present.sort(Comparator.comparing((String key) -> from(key)).reversed());
    for (String key : present) {
      Object replacement = expected.get(key);
      int end = YamlList.end(text, from(key), to(key));
      changed.replace(from(key), replacement == null ? lineEnd(end) : end, replacement == null ? "" : lines(key, replacement));
    }
    String all = changed.toString();
    for (Map.Entry<String, Object> entry : expected.entrySet()) {
      if (!tuples.containsKey(entry.getKey())) {
        all = YamlList.ended(all) + lines(entry.getKey(), entry.getValue()) + "\n";
      }
    }
    // An edit that went wrong changes nothing.
    if (!new YamlKeys(all).value.equals(expected)) {
      throw new IllegalArgumentException("This notation cannot be changed.");
    }
    return all;
  }

  private static String lines(String key, Object value) {
    if (value instanceof Map<?, ?> below && !below.isEmpty()) {
      Map<String, Object> named = new LinkedHashMap<>();
      below.forEach((name, item) -> named.put(String.valueOf(name), item));
      return key + ":\n  " + YamlList.block(named, 2);
    }
    return YamlList.block(Map.of(key, value), 0);
  }

  /** Marks count code points. */
  private int from(String key) {
    return text.offsetByCodePoints(0, Objects.requireNonNull(tuples.get(key)).getKeyNode().getStartMark().getIndex());
  }

  private int to(String key) {
    return text.offsetByCodePoints(0, Objects.requireNonNull(tuples.get(key)).getValueNode().getEndMark().getIndex());
  }
}
