package dev.gatehouse.gateway.console;

import dev.gatehouse.common.audit.AuditEvent;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/**
 * An event of the audit log as the console shows it.
 *
 * @param isKnown whether there is a text on what such an event means
 * @param meanings what the reason means; several if messages of several kinds have it
 * @param fields the other fields, in the order of the log
 */
record EventLine(
    Optional<Instant> time, String event, boolean isKnown, String realm, String client, Optional<String> reference,
    Optional<String> reason, List<ReasonTexts.Meaning> meanings, Map<String, String> fields) {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<LinkedHashMap<String, Object>> FIELDS = new TypeReference<>() {};
  private static final Set<String> KNOWN =
      Arrays.stream(AuditEvent.class.getPermittedSubclasses()).map(Class::getSimpleName).collect(Collectors.toUnmodifiableSet());

  /** @param line a line of the log */
  static EventLine of(byte[] line) {
    return of(JSON.readValue(line, FIELDS));
  }

  /** @param line the members of a line of the log */
  static EventLine of(Map<String, Object> line) {
    Map<String, Object> fields = new LinkedHashMap<>(line);
    String event = taken(fields, "event").orElse("-");
    Optional<String> reason = taken(fields, "reason");
    return new EventLine(
        taken(fields, "time").flatMap(EventLine::time),
        event,
        KNOWN.contains(event),
        taken(fields, "realm").orElse("-"),
        taken(fields, "client").orElse("-"),
        taken(fields, "reference").filter(text -> !text.equals("-")),
        reason,
        reason.map(ReasonTexts::of).orElse(List.of()),
        rest(fields));
  }

  private static Map<String, String> rest(Map<String, Object> fields) {
    Map<String, String> rest = new LinkedHashMap<>();
    fields.forEach((name, value) -> rest.put(name, value instanceof String text ? text : JSON.writeValueAsString(value)));
    return rest;
  }

  private static Optional<String> taken(Map<String, Object> fields, String name) {
    return fields.remove(name) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  private static Optional<Instant> time(String text) {
    try {
      return Optional.of(Instant.parse(text));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
