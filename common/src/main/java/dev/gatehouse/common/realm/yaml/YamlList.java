package dev.gatehouse.common.realm.yaml;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import tools.jackson.databind.json.JsonMapper;

/**
 * A list of mappings at the top of a YAML text, like {@code partners} of a realm. A change of one entry leaves the rest of the text as
 * it is, with its comments.
 */
public final class YamlList {

  private final String text;
  private final String key;
  private final Optional<Node> value;
  private final List<MappingNode> nodes = new ArrayList<>();

  /**
   * Reads the list with that key; a single mapping is a list of one.
   *
   * @throws IllegalArgumentException if the text is not YAML, or has another value there
   */
  public YamlList(String text, String key) {
    this.text = text;
    this.key = key;
    this.value = YamlDocument.node(text).flatMap(root -> value(root, key));
    value.ifPresent(this::read);
  }

  private static Optional<Node> value(Node root, String key) {
    if (root instanceof ScalarNode scalar && scalar.getTag().equals(Tag.NULL)) {
      return Optional.empty();
    }
    if (!(root instanceof MappingNode mapping)) {
      throw new IllegalArgumentException("The file has no keys.");
    }
    return mapping.getValue().stream()
        .filter(tuple -> tuple.getKeyNode() instanceof ScalarNode name && name.getValue().equals(key))
        .map(NodeTuple::getValueNode)
        .findFirst();
  }

  private void read(Node list) {
    switch (list) {
      case SequenceNode sequence -> sequence.getValue().forEach(this::entry);
      case MappingNode single -> nodes.add(single);
      case ScalarNode scalar when scalar.getTag().equals(Tag.NULL) -> {}
      default -> throw new IllegalArgumentException(key + " is not a list.");
    }
  }

  private void entry(Node node) {
    if (!(node instanceof MappingNode mapping)) {
      throw new IllegalArgumentException(key + " has an entry without keys.");
    }
    nodes.add(mapping);
  }

  /** Returns the entries: texts, numbers, truth values, lists and mappings. */
  public List<Map<String, Object>> entries() {
    return nodes.stream().map(YamlList::mapping).toList();
  }

  static Map<String, Object> mapping(MappingNode node) {
    Map<String, Object> mapping = new LinkedHashMap<>();
    for (NodeTuple tuple : node.getValue()) {
      if (tuple.getKeyNode() instanceof ScalarNode name) {
        mapping.put(name.getValue(), plain(tuple.getValueNode()));
      }
    }
    return mapping;
  }

  private static @Nullable Object plain(Node node) {
    return switch (node) {
      case MappingNode mapping -> mapping(mapping);
      case SequenceNode sequence -> {
        List<@Nullable Object> list = new ArrayList<>();
        sequence.getValue().forEach(item -> list.add(plain(item)));
        yield list;
      }
      case ScalarNode scalar -> scalar(scalar);
      default -> null;
    };
  }

  /** Other scalars than plain numbers and truth values are texts, as the reader of the configuration takes them. */
  private static @Nullable Object scalar(ScalarNode node) {
    String scalar = node.getValue();
    if (node.getTag().equals(Tag.NULL)) {
      return null;
    }
    if (node.getTag().equals(Tag.INT) && scalar.matches("0|-?[1-9]\\d{0,17}")) {
      return Long.valueOf(scalar);
    }
    if (node.getTag().equals(Tag.BOOL) && (scalar.equals("true") || scalar.equals("false"))) {
      return Boolean.valueOf(scalar);
    }
    return scalar;
  }

  /** Returns the text with another entry in place of one. */
  public String replaced(int index, Map<String, Object> entry) {
    List<Map<String, Object>> expected = new ArrayList<>(entries());
    expected.set(index, entry);
    if (!isBlock()) {
      return rewritten(expected);
    }
    MappingNode node = nodes.get(index);
    String lines = block(entry, node.getStartMark().getColumn());
    return checked(text.substring(0, from(node)) + lines + text.substring(end(node)), expected);
  }

  /** Returns the text with one more entry, the last. */
  public String added(Map<String, Object> entry) {
    List<Map<String, Object>> expected = new ArrayList<>(entries());
    expected.add(entry);
    if (value.isEmpty()) {
      return checked(ended(text) + key + ":\n  - " + block(entry, 4) + "\n", expected);
    }
    if (!isBlock()) {
      return rewritten(expected);
    }
    MappingNode last = nodes.getLast();
    String item = "\n" + itemStart(last) + block(entry, last.getStartMark().getColumn());
    int at = lineEnd(end(last));
    return checked(text.substring(0, at) + item + text.substring(at), expected);
  }

  /** Returns the text with other entries in the places of some, and with more entries at the end. */
  public String changed(SortedMap<Integer, Map<String, Object>> replaced, List<Map<String, Object>> added) {
    List<Map<String, Object>> expected = new ArrayList<>(entries());
    replaced.forEach(expected::set);
    expected.addAll(added);
    if (replaced.isEmpty() && added.isEmpty()) {
      return text;
    }
    if (value.isPresent() && !isBlock()) {
      return rewritten(expected);
    }
    StringBuilder changed = new StringBuilder(value.isEmpty() ? ended(text) + key + ":\n" : text);
    if (value.isEmpty()) {
      added.forEach(entry -> changed.append("  - ").append(block(entry, 4)).append('\n'));
      return checked(changed.toString(), expected);
    }
    int column = nodes.getLast().getStartMark().getColumn();
    int at = lineEnd(end(nodes.getLast()));
    String start = "\n" + itemStart(nodes.getLast());
    StringBuilder items = new StringBuilder();
    added.forEach(entry -> items.append(start).append(block(entry, column)));
    changed.insert(at, items);
    // From the last to the first, so that the places of the others stay true.
    new TreeMap<>(replaced)
        .descendingMap()
        .forEach((index, entry) -> changed.replace(from(nodes.get(index)), end(nodes.get(index)), block(entry, column(index))));
    return checked(changed.toString(), expected);
  }

  private int column(int index) {
    return nodes.get(index).getStartMark().getColumn();
  }

  /** Returns what stands before an entry on its first line. */
  private String itemStart(MappingNode node) {
    int dash = text.lastIndexOf('-', from(node) - 1);
    String indent = text.substring(text.lastIndexOf('\n', dash) + 1, dash);
    return indent + "-" + " ".repeat(node.getStartMark().getColumn() - indent.length() - 1);
  }

  /** Returns the text without an entry. */
  public String removed(int index) {
    List<Map<String, Object>> expected = new ArrayList<>(entries());
    expected.remove(index);
    if (expected.isEmpty() || !isBlock()) {
      return rewritten(expected);
    }
    MappingNode node = nodes.get(index);
    int dash = text.lastIndexOf('-', from(node) - 1);
    int line = text.lastIndexOf('\n', dash) + 1;
    int next = Math.min(text.length(), lineEnd(end(node)) + 1);
    return checked(text.substring(0, line) + text.substring(next), expected);
  }

  /** Writes the whole list anew, on one line. */
  private String rewritten(List<Map<String, Object>> entries) {
    Node list = value.orElseThrow();
    boolean isEmpty = from(list) == to(list);
    int from = isBlock() ? text.lastIndexOf('-', from(nodes.getFirst()) - 1) : from(list);
    int to = list instanceof MappingNode single && !nodes.isEmpty() ? end(single) : isBlock() ? end(nodes.getLast()) : to(list);
    return checked(text.substring(0, from) + (isEmpty ? " " : "") + JsonMapper.shared().writeValueAsString(entries) + text.substring(to), entries);
  }

  /** An edit that went wrong changes nothing. */
  private String checked(String changed, List<Map<String, Object>> expected) {
    if (!new YamlList(changed, key).entries().equals(expected)) {
      throw new IllegalArgumentException("This notation of " + key + " cannot be changed by entries.");
    }
    return changed;
  }

  private boolean isBlock() {
    return !nodes.isEmpty() && value.orElseThrow() instanceof SequenceNode list && list.getFlowStyle() == DumperOptions.FlowStyle.BLOCK;
  }

  private int lineEnd(int from) {
    int end = text.indexOf('\n', from);
    return end < 0 ? text.length() : end;
  }

  /** Returns an entry's lines; all but the first begin at that column. */
  static String block(Map<String, Object> entry, int column) {
    StringBuilder lines = new StringBuilder();
    entry.forEach((name, value) -> lines.append(new Yaml(options(value)).dump(Collections.singletonMap(name, value))));
    return lines.toString().stripTrailing().replace("\n", "\n" + " ".repeat(column));
  }

  /** Lists and mappings stand on one line if they are simple. */
  private static DumperOptions options(Object value) {
    boolean isScalar = !(value instanceof Map) && !(value instanceof List);
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(isScalar ? DumperOptions.FlowStyle.BLOCK : DumperOptions.FlowStyle.AUTO);
    options.setWidth(1000);
    options.setSplitLines(false);
    options.setAllowUnicode(true);
    return options;
  }

  private int end(MappingNode node) {
    return end(text, from(node), to(node));
  }

  /** Returns the end of a value's last line with content: the parser counts blank lines and comments behind it, too. */
  static int end(String text, int from, int to) {
    int end = Math.min(to, text.length());
    while (true) {
      int start = text.lastIndexOf('\n', end - 1) + 1;
      String line = text.substring(start, end).strip();
      if (start <= from || !line.isEmpty() && !line.startsWith("#")) {
        return text.charAt(end - 1) == '\n' ? end - 1 : end;
      }
      end = start - 1;
    }
  }

  static String ended(String text) {
    return text.isEmpty() || text.endsWith("\n") ? text : text + "\n";
  }

  /** Marks count code points. */
  private int from(Node node) {
    return text.offsetByCodePoints(0, node.getStartMark().getIndex());
  }

  private int to(Node node) {
    return text.offsetByCodePoints(0, node.getEndMark().getIndex());
  }
}
