package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The time of an event, and the fields that it is found by.
 *
 * @param values by the names of the fields
 */
public record EventFields(long millis, Map<String, String> values) {

  private static final JsonFactory JSON = new JsonFactory();

  /** Events whose partner is an OAuth client. */
  private static final Set<String> OF_CLIENTS =
      Set.of("AuthorizationGranted", "AuthorizationDenied", "TokensIssued", "TokenRevoked", "AuthorizationEnded");

  /** The terms by the names of the events' fields. */
  private static final Map<String, AuditTerm> TERMS =
      Map.of(
          "event", AuditTerm.EVENT,
          "realm", AuditTerm.REALM,
          "client", AuditTerm.ADDRESS,
          "reference", AuditTerm.REQUEST_ID,
          "person", AuditTerm.PERSON,
          "name", AuditTerm.PERSON,
          "partner", AuditTerm.PARTNER,
          "clientId", AuditTerm.PARTNER,
          "reason", AuditTerm.REASON);

  public EventFields {
    values = Map.copyOf(values);
  }

  /** Reads a line of the log; empty if it is no event. */
  public static Optional<EventFields> of(byte[] line) {
    Optional<Instant> time = AuditSegments.time(line, 0, line.length);
    if (time.isEmpty()) {
      return Optional.empty();
    }
    return PlainLine.fields(line, TERMS.keySet())
        .or(() -> parsed(line))
        .map(fields -> new EventFields(time.get().toEpochMilli(), fields));
  }

  private static Optional<Map<String, String>> parsed(byte[] line) {
    Map<String, String> fields = new HashMap<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
      json.nextToken();
      for (JsonToken token = json.nextToken(); token == JsonToken.PROPERTY_NAME; token = json.nextToken()) {
        String name = json.currentName();
        if (json.nextToken() == JsonToken.VALUE_STRING && TERMS.containsKey(name)) {
          fields.putIfAbsent(name, json.getString());
        }
        json.skipChildren();
      }
    } catch (JacksonException e) {
      return Optional.empty();
    }
    return Optional.of(fields);
  }

  /** Returns the kind of the event. */
  public String event() {
    return values.getOrDefault("event", "");
  }

  /** Returns the OAuth client of the event. */
  public Optional<String> client() {
    return Optional.ofNullable(values.get(OF_CLIENTS.contains(event()) ? "partner" : "clientId")).filter(id -> !id.isEmpty());
  }

  /** Returns the key of a field, which must be one of those that events are found by; empty if the event does not have it. */
  public Optional<Long> key(String name) {
    return Optional.ofNullable(values.get(name)).map(value -> Optional.ofNullable(TERMS.get(name)).orElseThrow().key(value));
  }

  /** Returns the keys of all fields. */
  List<Long> keys() {
    List<Long> keys = new ArrayList<>(values.size() + 1);
    values.keySet().forEach(name -> key(name).ifPresent(keys::add));
    client().ifPresent(id -> keys.add(AuditTerm.CLIENT.key(id)));
    return keys;
  }
}
