package dev.gatehouse.common.audit;

import dev.gatehouse.common.codec.UtcMillis;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * Formats one event as one line of JSON (RFC 8259), in printable ASCII only. Control characters, line separators and changes of writing
 * direction in values are escaped, so that they reach neither a terminal nor a parser of lines.
 */
final class AuditLine {

  /** Longer values are cut, so that login names cannot fill the disk. */
  private static final int LONGEST_VALUE = 2000;

  /** The components of each kind of event, looked up once. */
  private static final ClassValue<RecordComponent[]> COMPONENTS =
      new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
          return type.getRecordComponents();
        }
      };

  private final StringBuilder json = new StringBuilder(256);

  private AuditLine() {}

  static byte[] of(Instant time, AuditEvent event) {
    AuditLine line = new AuditLine();
    line.json.append('{');
    line.field("time", UtcMillis.full(time));
    line.field("event", event.getClass().getSimpleName());
    line.context(event.context());
    for (RecordComponent component : COMPONENTS.get(event.getClass())) {
      if (component.getType() != AuditEvent.Context.class) {
        line.field(component.getName(), value(component, event));
      }
    }
    line.json.append("}\n");
    return line.json.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private void context(AuditEvent.Context context) {
    field("realm", context.realm());
    field("client", context.client());
    field("reference", context.reference());
  }

  private static Object value(RecordComponent component, AuditEvent event) {
    try {
      return component.getAccessor().invoke(event);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("Events are public records with plain accessors", e);
    }
  }

  private void field(String name, Object value) {
    if (value instanceof Optional<?> optional) {
      optional.ifPresent(present -> field(name, present));
      return;
    }
    if (json.charAt(json.length() - 1) != '{') {
      json.append(',');
    }
    quote(name);
    json.append(':');
    value(value);
  }

  private void value(Object value) {
    switch (value) {
      case Boolean flag -> json.append(flag);
      case Number number -> json.append(number);
      case Map<?, ?> map -> {
        json.append('{');
        map.forEach((key, inner) -> field(key.toString(), inner));
        json.append('}');
      }
      default -> quote(value.toString());
    }
  }

  private void quote(String text) {
    json.append('"');
    if (isPlain(text)) {
      json.append(text).append('"');
      return;
    }
    int kept = Math.min(text.length(), LONGEST_VALUE);
    for (int i = 0; i < kept; i++) {
      append(text.charAt(i));
    }
    if (kept < text.length()) {
      json.append("... and ").append(text.length() - kept).append(" more");
    }
    json.append('"');
  }

  /** Returns whether the value needs no escape and no cut, as most values. */
  private static boolean isPlain(String text) {
    if (text.length() > LONGEST_VALUE) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '"' || c == '\\') {
        return false;
      }
    }
    return true;
  }

  private void append(char c) {
    if (c == '"' || c == '\\') {
      json.append('\\').append(c);
    } else if (c >= ' ' && c <= '~') {
      json.append(c);
    } else {
      json.append("\\u").append(HexFormat.of().toHexDigits(c));
    }
  }
}
