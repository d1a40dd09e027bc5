package dev.gatehouse.gateway.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** JSON as tables and lines for people. Tables cut long values; lines have them whole. */
final class TableText {

  private static final int WIDEST = 60;

  private TableText() {}

  /** Returns an object: a list that comes first is a table, with the other members below it; else the members come first. */
  static List<String> of(JsonNode value) {
    if (!value.isObject()) {
      return value.isArray() ? table(value) : List.of(cell(value));
    }
    Map<String, JsonNode> lists = new LinkedHashMap<>();
    Map<String, String> members = new LinkedHashMap<>();
    sort("", value, lists, members);
    boolean isList = !lists.isEmpty() && value.propertyNames().iterator().next().equals(lists.keySet().iterator().next());
    List<String> lines = new ArrayList<>();
    if (!isList) {
      lines.addAll(members(members));
    }
    for (Map.Entry<String, JsonNode> list : lists.entrySet()) {
      if (list.getValue().isEmpty()) {
        lines.add("No " + list.getKey() + ".");
        continue;
      }
      if (!isList || lists.size() > 1) {
        lines.add("");
        lines.add(list.getKey() + ":");
      }
      lines.addAll(list.getKey().equals("problems") ? problems(list.getValue()) : table(list.getValue()));
    }
    if (isList && !members.isEmpty()) {
      lines.add("");
      lines.addAll(members(members));
    }
    return lines;
  }

  private static void sort(String prefix, JsonNode object, Map<String, JsonNode> lists, Map<String, String> members) {
    for (Map.Entry<String, JsonNode> member : object.properties()) {
      String name = prefix + SafeText.line(member.getKey());
      JsonNode value = member.getValue();
      if (value.isObject()) {
        sort(name + ".", value, lists, members);
      } else if (value.isArray() && (value.isEmpty() || value.get(0).isObject())) {
        lists.put(name, value);
      } else if (!name.equals("next")) {
        members.put(name, value.isString() ? SafeText.lines(value.asString()).replace("\n", "\n  ") : cell(value));
      }
    }
  }

  private static List<String> members(Map<String, String> members) {
    int width = members.keySet().stream().mapToInt(String::length).max().orElse(0);
    return members.entrySet().stream().map(member -> padded(member.getKey(), width) + "  " + member.getValue()).toList();
  }

  /** Returns problems of a configuration as {@code check} prints them. */
  static List<String> problems(JsonNode problems) {
    List<String> lines = new ArrayList<>();
    for (JsonNode problem : problems) {
      if (!problem.has("message")) {
        lines.add(cell(problem));
        continue;
      }
      String line = problem.path("line").asInt(0) == 0 ? "" : ":" + problem.path("line").asInt();
      String text = problem.path("file").asString("") + line + ": " + problem.path("key").asString("") + ": ";
      lines.add(SafeText.line(text + problem.path("message").asString("") + " — " + problem.path("remedy").asString("")));
    }
    return lines;
  }

  private static List<String> table(JsonNode list) {
    Set<String> columns = new LinkedHashSet<>();
    list.forEach(one -> columns.addAll(one.propertyNames()));
    if (columns.isEmpty()) {
      return list.valueStream().map(TableText::cell).toList();
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(columns.stream().map(name -> SafeText.line(name).toUpperCase(Locale.ROOT)).toList());
    for (JsonNode one : list) {
      rows.add(columns.stream().map(name -> cut(cell(one.path(name)))).toList());
    }
    int[] widths = new int[columns.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> row(row, widths)).toList();
  }

  private static String row(List<String> cells, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      line.append(padded(cells.get(i), widths[i])).append("  ");
    }
    return line.toString().stripTrailing();
  }

  private static String cell(JsonNode value) {
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    if (value.isArray() && value.valueStream().allMatch(JsonNode::isValueNode)) {
      return String.join(", ", value.valueStream().map(TableText::cell).toList());
    }
    return SafeText.line(value.isString() ? value.asString() : value.toString());
  }

  private static String cut(String text) {
    return text.length() <= WIDEST ? text : text.substring(0, WIDEST - 1) + "…";
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
