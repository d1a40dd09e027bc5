package dev.gatehouse.gateway.admin.audit;

import dev.gatehouse.gateway.admin.web.SheetCell;
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
    String row = COLUMNS.stream().map(column -> SheetCell.of(taken(fields, column))).collect(Collectors.joining(","));
    return row + "," + SheetCell.of(JSON.writeValueAsString(fields));
  }

  private static String taken(Map<String, Object> fields, String name) {
    return fields.containsKey(name) ? String.valueOf(fields.remove(name)) : "";
  }
}
