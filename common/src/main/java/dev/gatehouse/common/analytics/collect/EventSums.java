package dev.gatehouse.common.analytics.collect;

import dev.gatehouse.common.analytics.Amount;
import dev.gatehouse.common.analytics.Dimension;
import dev.gatehouse.common.analytics.Series;
import dev.gatehouse.common.audit.AuditSegments;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Counts events of the audit log, at the time of the event. */
final class EventSums {

  private static final JsonFactory JSON = new JsonFactory();
  private static final Amount ONE = Amount.count(1);

  private static final Set<String> FIELDS =
      Set.of("event", "realm", "client", "person", "name", "partner", "reason", "contract", "grant", "cause");

  /** Kinds of events of {@link #count}: lines of others need not be read. */
  private static final Set<String> COUNTED =
      Set.of(
          "LoginSucceeded", "LoginRefused", "AccessDenied", "MessageRefused", "AssertionIssued", "AssertionAccepted", "TokensIssued",
          "SessionEnded");

  private final Sums sums;
  private final PendingLogins logins;

  EventSums(Sums sums, PendingLogins logins) {
    this.sums = sums;
    this.logins = logins;
  }

  /** Counts a line; anything but an event is left out. */
  void add(byte[] line) {
    if (AuditSegments.event(line).filter(kind -> !COUNTED.contains(kind)).isPresent()) {
      return;
    }
    Optional<Instant> time = AuditSegments.time(line, 0, line.length);
    if (time.isEmpty()) {
      return;
    }
    try {
      count(time.get(), fields(line));
    } catch (JacksonException e) {
      // The verification of the log reports damaged lines.
    }
  }

  private static Map<String, String> fields(byte[] line) {
    Map<String, String> fields = new HashMap<>();
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), line)) {
      json.nextToken();
      for (JsonToken token = json.nextToken(); token == JsonToken.PROPERTY_NAME; token = json.nextToken()) {
        String name = json.currentName();
        if (json.nextToken() == JsonToken.VALUE_STRING && FIELDS.contains(name)) {
          fields.putIfAbsent(name, json.getString());
        }
        json.skipChildren();
      }
    }
    return fields;
  }

  private void count(Instant at, Map<String, String> event) {
    switch (event.getOrDefault("event", "")) {
      case "LoginSucceeded" -> {
        add(at, Series.LOGINS, event, Map.of(Dimension.METHOD, "contract"));
        logins.loggedIn(at, event);
      }
      case "LoginRefused" -> {
        add(at, Series.LOGIN_FAILURES, event, Map.of(Dimension.REASON, "reason", Dimension.METHOD, "contract"));
        logins.refused(at, event);
      }
      case "AccessDenied", "MessageRefused" -> add(at, Series.REFUSALS, event, Map.of(Dimension.REASON, "reason"));
      case "AssertionIssued" -> assertion(at, event, "issued");
      case "AssertionAccepted" -> assertion(at, event, "accepted");
      case "TokensIssued" -> add(at, Series.TOKENS, event, Map.of(Dimension.CLIENT, "partner", Dimension.GRANT, "grant"));
      case "SessionEnded" -> add(at, Series.SESSIONS_ENDED, event, Map.of(Dimension.CAUSE, "cause"));
      default -> {
        // Counts as nothing.
      }
    }
  }

  private void assertion(Instant at, Map<String, String> event, String direction) {
    String partner = event.getOrDefault("partner", "-");
    sums.add(at, Series.ASSERTIONS, realm(event), Map.of(Dimension.PARTNER, partner, Dimension.DIRECTION, direction), ONE);
  }

  /** @param fields the field of the event for each dimension */
  private void add(Instant at, Series series, Map<String, String> event, Map<Dimension, String> fields) {
    Map<Dimension, String> labels = new HashMap<>();
    fields.forEach((dimension, field) -> labels.put(dimension, event.getOrDefault(field, "-")));
    sums.add(at, series, realm(event), labels, ONE);
  }

  private static String realm(Map<String, String> event) {
    return event.getOrDefault("realm", "-");
  }
}
