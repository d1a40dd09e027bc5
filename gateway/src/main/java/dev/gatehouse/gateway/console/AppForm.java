package dev.gatehouse.gateway.console;

import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.gateway.admin.web.BadRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an administrator typed into the wizard.
 *
 * @param fields texts by the names of the fields; blank ones are absent
 */
record AppForm(AppKind kind, Map<String, String> fields) {

  /** Metadata with several certificates have some 20 KB; a field is no place for those of a federation. */
  static final int LONGEST_METADATA = 400_000;

  private static final int LONGEST_FIELD = 4000;

  /** A list in a form: one entry a line, or separated by blanks or commas. */
  private static final String SEPARATORS = "[\\s,]+";

  static AppForm of(AppKind kind, ConsoleRequest request) {
    Map<String, String> fields = new TreeMap<>();
    for (String name : kind.fields()) {
      Optional<String> value = request.field(name);
      int longest = name.equals("metadata") ? LONGEST_METADATA : LONGEST_FIELD;
      if (value.filter(text -> text.length() > longest).isPresent()) {
        throw new BadRequest("`" + name + "` has at most " + longest + " characters.");
      }
      value.ifPresent(text -> fields.put(name, text));
    }
    return new AppForm(kind, fields);
  }

  Optional<String> field(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  boolean is(String name, String value) {
    return value.equals(fields.get(name));
  }

  List<String> list(String name) {
    return field(name).stream().flatMap(text -> Arrays.stream(text.split(SEPARATORS))).filter(part -> !part.isEmpty()).toList();
  }

  /** Returns a name for a file or secret of that entry, which no entry with another id has. */
  static String fileName(String realm, String id) {
    String readable = id.toLowerCase(Locale.ROOT).replaceFirst("^[a-z]+://", "").replaceAll("[^a-z0-9]+", "-");
    String bounded = readable.substring(0, Math.min(40, readable.length())).replaceAll("^-|-$", "");
    return realm.substring(0, Math.min(40, realm.length())) + "-" + bounded + "-" + Sha256.hex(realm + ' ' + id).substring(0, 10);
  }
}
