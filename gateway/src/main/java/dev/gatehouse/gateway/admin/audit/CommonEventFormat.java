package dev.gatehouse.gateway.admin.audit;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Formats events in the Common Event Format, version 0 (ArcSight), one line each. */
final class CommonEventFormat {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TypeReference<LinkedHashMap<String, Object>> EVENT = new TypeReference<>() {};

  /** Keys of CEF by our fields; others are custom strings or in the message. */
  private static final Map<String, String> KEYS = Map.of("person", "suid", "name", "suser", "reason", "reason");

  /** Custom strings, which CEF has six of: their labels are our fields. */
  private static final Map<String, String> CUSTOM =
      Map.of("realm", "cs1", "partner", "cs2", "clientId", "cs2", "reference", "cs3", "session", "cs4", "administrator", "cs5", "action", "cs6");

  private static final Set<String> OF_THE_LOG = Set.of("time", "event", "seq", "chain", "client");

  private CommonEventFormat() {}

  /** Formats an event. */
  static String line(byte[] event) {
    Map<String, Object> fields = JSON.readValue(event, EVENT);
    String name = String.valueOf(fields.getOrDefault("event", "-"));
    StringBuilder line = new StringBuilder("CEF:0|Gatehouse|Gatehouse|1|");
    line.append(header(name)).append('|').append(header(words(name))).append('|').append(severity(name, fields)).append('|');
    line.append("rt=").append(Instant.parse(String.valueOf(fields.get("time"))).toEpochMilli());
    line.append(" externalId=").append(fields.get("seq"));
    address(line, String.valueOf(fields.getOrDefault("client", "-")));
    StringBuilder rest = new StringBuilder();
    fields.forEach((field, value) -> append(line, rest, field, String.valueOf(value)));
    if (!rest.isEmpty()) {
      line.append(" msg=").append(extension(rest.toString().strip()));
    }
    return line.toString();
  }

  private static void append(StringBuilder line, StringBuilder rest, String field, String value) {
    String key = KEYS.getOrDefault(field, CUSTOM.getOrDefault(field, ""));
    if (OF_THE_LOG.contains(field)) {
      return;
    }
    if (key.isEmpty()) {
      rest.append(' ').append(field).append(": ").append(value).append(';');
      return;
    }
    line.append(' ').append(key).append('=').append(extension(value));
    if (CUSTOM.containsKey(field)) {
      line.append(' ').append(key).append("Label=").append(field);
    }
  }

  private static void address(StringBuilder line, String address) {
    if (address.contains(":")) {
      line.append(" c6a2=").append(extension(address)).append(" c6a2Label=Source IPv6 Address");
    } else if (!address.equals("-")) {
      line.append(" src=").append(extension(address));
    }
  }

  private static int severity(String event, Map<String, Object> fields) {
    if (event.equals("CheckpointSigned")) {
      return 0;
    }
    return fields.containsKey("reason") ? 6 : 3;
  }

  private static String words(String event) {
    return event.replaceAll("(?<=[a-z])(?=[A-Z])", " ");
  }

  private static String header(String text) {
    return plain(text.replace("\\", "\\\\").replace("|", "\\|").replaceAll("\\R", " "));
  }

  private static String extension(String text) {
    return plain(text.replace("\\", "\\\\").replace("=", "\\=").replace("\r", "\\r").replace("\n", "\\n"));
  }

  /** Readers of lines know further line breaks, and terminals obey control characters; the format has no escapes for them. */
  private static String plain(String text) {
    return text.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}]", "?");
  }
}
