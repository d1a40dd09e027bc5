package dev.gatehouse.gateway.cache;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds fields by names that the parser does not know. */
final class HeadFields {

  private HeadFields() {}

  /** @param lower the name in lower case */
  static boolean isNamed(Fields fields, int field, byte[] lower) {
    return Ascii.equalsLower(fields.bytes(), fields.nameStart(field), fields.nameEnd(field), lower);
  }

  /** The values of all fields of that name. @param name in lower case */
  static List<String> all(Fields fields, String name) {
    byte[] lower = Ascii.bytes(name);
    List<String> values = new ArrayList<>(1);
    for (int i = 0; i < fields.size(); i++) {
      if (isNamed(fields, i, lower)) {
        values.add(fields.value(i));
      }
    }
    return values;
  }

  /** The value of the only field of that name. */
  static Optional<String> only(Fields fields, String name) {
    List<String> values = all(fields, name);
    return values.size() == 1 ? Optional.of(values.getFirst()) : Optional.empty();
  }
}
