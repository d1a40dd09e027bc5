package dev.gatehouse.gateway.filter;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.TokenList;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** The names that Connection fields declare hop-by-hop (RFC 9110, section 7.6.1), lower case. */
final class NominatedNames {

  private NominatedNames() {}

  static Set<String> of(Fields fields) {
    int connection = fields.next(FieldName.CONNECTION, 0);
    if (connection < 0) {
      return Set.of();
    }
    Set<String> names = Set.of();
    for (int i = connection; i >= 0; i = fields.next(FieldName.CONNECTION, i + 1)) {
      TokenList list = new TokenList(fields, i);
      while (list.next()) {
        String token =
            Ascii.string(fields.bytes(), list.start(), list.end()).toLowerCase(Locale.ROOT);
        if (token.equals("keep-alive") || token.equals("close")) {
          continue;
        }
        if (names.isEmpty()) {
          names = new HashSet<>();
        }
        names.add(token);
      }
    }
    return names;
  }
}
