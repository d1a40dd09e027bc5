package dev.gatehouse.gateway.message;

import java.util.ArrayList;
import java.util.List;

/** The fields of W3C Trace Context, which matter only while tracing is on. */
public final class TraceFields {

  private static final byte[] PARENT = Ascii.bytes("traceparent");
  private static final byte[] STATE = Ascii.bytes("tracestate");

  private TraceFields() {}

  /** Returns whether a field is one of them. */
  public static boolean contains(Fields fields, int field) {
    return has(fields, field, PARENT) || has(fields, field, STATE);
  }

  /** All values of {@code traceparent}. */
  public static List<String> parents(Fields fields) {
    return all(fields, PARENT);
  }

  /** All values of {@code tracestate}. */
  public static List<String> states(Fields fields) {
    return all(fields, STATE);
  }

  private static List<String> all(Fields fields, byte[] name) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      if (has(fields, i, name)) {
        values.add(fields.value(i));
      }
    }
    return values;
  }

  private static boolean has(Fields fields, int field, byte[] name) {
    return fields.name(field) == FieldName.OTHER
        && Ascii.equalsLower(fields.bytes(), fields.nameStart(field), fields.nameEnd(field), name);
  }
}
