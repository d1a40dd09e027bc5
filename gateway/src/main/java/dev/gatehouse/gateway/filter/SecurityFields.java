package dev.gatehouse.gateway.filter;

import dev.gatehouse.common.realm.ResponseConfig.SecurityField;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldSink;
import dev.gatehouse.gateway.message.Fields;
import java.util.List;
import java.util.Locale;

/**
 * The security headers of a route. An app's own value of such a field takes precedence, except for
 * Strict-Transport-Security, which applies to the whole host and is never sent without TLS (RFC 6797, section 7.2).
 */
final class SecurityFields {

  private static final String HSTS = "strict-transport-security";

  private final List<SecurityField> fields;
  private final byte[][] names;
  private final boolean hidesHsts;

  private SecurityFields(List<SecurityField> fields, boolean hidesHsts) {
    this.fields = fields;
    this.names = fields.stream().map(f -> Ascii.bytes(f.name().toLowerCase(Locale.ROOT))).toArray(byte[][]::new);
    this.hidesHsts = hidesHsts;
  }

  static final SecurityFields NONE = new SecurityFields(List.of(), false);

  /** @param secure whether the client used https */
  static SecurityFields of(List<SecurityField> configured, boolean secure) {
    if (configured.isEmpty()) {
      return NONE;
    }
    boolean hsts = configured.stream().anyMatch(f -> f.name().equalsIgnoreCase(HSTS));
    return new SecurityFields(
        configured.stream().filter(f -> secure || !f.name().equalsIgnoreCase(HSTS)).toList(), hsts);
  }

  boolean isEmpty() {
    return names.length == 0 && !hidesHsts;
  }

  /** Returns whether the app's field is dropped. */
  boolean replaces(Fields app, int field) {
    return hidesHsts && Ascii.equalsLower(app.bytes(), app.nameStart(field), app.nameEnd(field), HSTS_BYTES);
  }

  private static final byte[] HSTS_BYTES = Ascii.bytes(HSTS);

  /** Adds the fields that the app has not set itself. */
  void write(Fields app, FieldSink out) {
    for (int i = 0; i < names.length; i++) {
      if (!isIn(app, names[i])) {
        SecurityField field = fields.get(i);
        out.putField(field.name(), field.value());
      }
    }
  }

  private boolean isIn(Fields app, byte[] name) {
    for (int i = 0; i < app.size(); i++) {
      if (Ascii.equalsLower(app.bytes(), app.nameStart(i), app.nameEnd(i), name)) {
        return !replaces(app, i);
      }
    }
    return false;
  }
}
