package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.TokenList;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** The names that Connection fields declare hop-by-hop (RFC 9110, section 7.6.1), in lower case. */
public final class NominatedNames {

  private static final byte[] KEEP_ALIVE = Ascii.bytes("keep-alive");
  private static final byte[] CLOSE = Ascii.bytes("close");

  private NominatedNames() {}

  public static Set<String> of(Fields fields) {
    int connection = fields.next(FieldName.CONNECTION, 0);
    if (connection < 0) {
      return Set.of();
    }
    if (fields.next(FieldName.CONNECTION, connection + 1) < 0 && isUsual(fields, connection)) {
      return Set.of();
    }
    Set<String> names = Set.of();
    for (int i = connection; i >= 0; i = fields.next(FieldName.CONNECTION, i + 1)) {
      TokenList list = new TokenList(fields, i);
      while (list.next()) {
        if (Ascii.equalsLower(fields.bytes(), list.start(), list.end(), KEEP_ALIVE)
            || Ascii.equalsLower(fields.bytes(), list.start(), list.end(), CLOSE)) {
          continue;
        }
        if (names.isEmpty()) {
          names = new HashSet<>();
        }
        names.add(Ascii.string(fields.bytes(), list.start(), list.end()).toLowerCase(Locale.ROOT));
      }
    }
    return names;
  }

  /** Returns whether the field has one of the two values that nearly all clients send. */
  private static boolean isUsual(Fields fields, int connection) {
    int start = fields.valueStart(connection);
    int end = fields.valueEnd(connection);
    return Ascii.equalsLower(fields.bytes(), start, end, KEEP_ALIVE) || Ascii.equalsLower(fields.bytes(), start, end, CLOSE);
  }
}
