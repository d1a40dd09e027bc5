package dev.gatehouse.gateway.admin.audit;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Events as rows of a table (RFC 4180): columns for what most events have, and one for all other fields as JSON. */
final class EventTable {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<LinkedHashMap<String, Object>> EVENT = new TypeReference<>() {};
  private static final List<String> COLUMNS =
      List.of("time", "event", "realm", "client", "reference", "person", "name", "partner", "reason", "seq");

  /** The first line. */
  static final String HEADING = String.join(",", COLUMNS) + ",other";

  private EventTable() {}

  static String row(byte[] event) {
    Map<String, Object> fields = JSON.readValue(event, EVENT);
    String row = COLUMNS.stream().map(column -> cell(taken(fields, column))).collect(Collectors.joining(","));
    return row + "," + cell(JSON.writeValueAsString(fields));
  }

  private static String taken(Map<String, Object> fields, String name) {
    return fields.containsKey(name) ? String.valueOf(fields.remove(name)) : "";
  }

  /** A spreadsheet takes text that begins with one of these for a formula; a person may have typed it in as a name. */
  private static String cell(String value) {
    boolean isFormula = !value.isEmpty() && "=+-@\t\r\n＝＋－＠".indexOf(value.charAt(0)) >= 0 && !value.equals("-");
    String text = isFormula ? "'" + value : value;
    return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
