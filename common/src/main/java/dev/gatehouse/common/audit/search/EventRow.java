package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.AuditSegments.Place;
import dev.gatehouse.common.audit.AuditTail;
import dev.gatehouse.common.codec.JsonText;
import dev.gatehouse.common.codec.UtcMillis;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What the index knows of an event.
 *
 * @param values by column
 */
record EventRow(long seq, long millis, Map<String, String> values, Place place) {

  private static final JsonFactory JSON = new JsonFactory();

  /** Events whose partner is an OAuth client. */
  private static final Set<String> OF_CLIENTS =
      Set.of("AuthorizationGranted", "AuthorizationDenied", "TokensIssued", "TokenRevoked", "AuthorizationEnded");

  /** The columns by the names of the events' fields. */
  private static final Map<String, String> COLUMNS =
      Map.of(
          "event", "event",
          "realm", "realm",
          "client", "address",
          "reference", "reference",
          "person", "person",
          "name", "name",
          "partner", "partner",
          "reason", "reason",
          "clientId", "client");

  static final int LONGEST = 400;

  /** Returns the row of a line; empty for a line that is no event. */
  static Optional<EventRow> of(AuditTail.Line line) {
    Optional<Instant> time = AuditSegments.time(line.bytes(), 0, line.bytes().length);
    if (time.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> values = new LinkedHashMap<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line.bytes())) {
      json.nextToken();
      for (JsonToken token = json.nextToken(); token == JsonToken.PROPERTY_NAME; token = json.nextToken()) {
        String column = COLUMNS.get(json.currentName());
        boolean isText = json.nextToken() == JsonToken.VALUE_STRING;
        if (column != null && isText) {
          values.putIfAbsent(column, cut(json.getString()));
        }
        json.skipChildren();
      }
    } catch (JacksonException e) {
      return Optional.empty();
    }
    if (OF_CLIENTS.contains(values.getOrDefault("event", "")) && values.containsKey("partner")) {
      values.put("client", values.getOrDefault("partner", "-"));
    }
    return Optional.of(new EventRow(line.seq(), time.get().toEpochMilli(), values, line.place()));
  }

  static String cut(String value) {
    return value.length() > LONGEST ? value.substring(0, LONGEST) : value;
  }

  /** Returns what the index knows, if the line itself cannot be read any more. */
  byte[] toJson() {
    JsonText json = new JsonText().text("time", UtcMillis.full(Instant.ofEpochMilli(millis)));
    COLUMNS.forEach(
        (field, column) -> {
          String value = values.get(column);
          if (value != null) {
            json.text(field, value);
          }
        });
    return json.number("seq", seq).toBytes();
  }

  AuditQuery.Cursor cursor() {
    return new AuditQuery.Cursor(millis, seq);
  }
}
