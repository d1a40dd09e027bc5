package dev.gatehouse.common.audit.search;

import dev.gatehouse.common.audit.AuditSegments;
import dev.gatehouse.common.audit.AuditSegments.Place;
import dev.gatehouse.common.audit.AuditTail;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
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
 * What is added to the index for an event.
 *
 * @param keys of what it is found by
 */
record EventRow(long seq, long millis, List<Long> keys, Place place) {

  /** The order of searches. */
  static final Comparator<EventRow> NEWEST_FIRST =
      Comparator.comparingLong(EventRow::millis).thenComparingLong(EventRow::seq).reversed();

  private static final Place NOWHERE = new Place(0, 0, 0);

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

  /**
   * Returns the row of a line; empty for a line that is no event.
   *
   * @param leftOut names of events that have none, either
   */
  static Optional<EventRow> of(AuditTail.Line line, Set<String> leftOut) {
    Optional<Instant> time = AuditSegments.time(line.bytes(), 0, line.bytes().length);
    if (time.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> fields = new HashMap<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line.bytes())) {
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
    if (leftOut.contains(fields.getOrDefault("event", ""))) {
      return Optional.empty();
    }
    return Optional.of(new EventRow(line.seq(), time.get().toEpochMilli(), keys(fields), line.place()));
  }

  /** Returns a row at that position, to find others by {@link #NEWEST_FIRST}. */
  static EventRow probe(AuditQuery.Cursor position) {
    return new EventRow(position.seq(), position.millis(), List.of(), NOWHERE);
  }

  Found found() {
    return new Found(seq, millis, place);
  }

  private static List<Long> keys(Map<String, String> fields) {
    List<Long> keys = new ArrayList<>(fields.size() + 1);
    fields.forEach((name, value) -> Optional.ofNullable(TERMS.get(name)).ifPresent(term -> keys.add(term.key(value))));
    String client =
        OF_CLIENTS.contains(fields.getOrDefault("event", "")) ? fields.getOrDefault("partner", "") : fields.getOrDefault("clientId", "");
    if (!client.isEmpty()) {
      keys.add(AuditTerm.CLIENT.key(client));
    }
    return keys;
  }
}
