package dev.gatehouse.idp.authn;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A person within a packed record that has the person's id already. */
public final class PackedPerson {

  /** How a DN is written: whole, or as {@code type=name,suffix} where its first value is the login name. */
  private static final int WHOLE = 0;

  private static final int OF_NAME = 1;

  private PackedPerson() {}

  public static void write(PackedWriter out, Person person, PersonId known) {
    out.optional(Optional.of(person.id()).filter(id -> !id.equals(known)), (o, id) -> o.text(id.value()));
    out.text(person.name());
    writeDn(out, person.dn(), person.name());
    writeAttributes(out, person.attributes());
    out.words(person.groups());
    out.words(person.roles());
  }

  /** Throws {@link IllegalArgumentException} for what {@link #write} never wrote. */
  public static Person read(PackedReader in, PersonId known) {
    PersonId id = in.optional(other -> new PersonId(other.text())).orElse(known);
    String name = in.text();
    String dn = readDn(in, name);
    return new Person(id, name, dn, readAttributes(in), in.words(), Set.copyOf(in.words()));
  }

  /** First those with one value, as most have, without a count for each. */
  private static void writeAttributes(PackedWriter out, Map<String, List<String>> attributes) {
    List<Map.Entry<String, List<String>>> single =
        attributes.entrySet().stream().filter(attribute -> attribute.getValue().size() == 1).toList();
    out.list(
        single,
        (list, attribute) -> {
          list.word(attribute.getKey());
          list.text(attribute.getValue().getFirst());
        });
    List<Map.Entry<String, List<String>>> others =
        attributes.entrySet().stream().filter(attribute -> attribute.getValue().size() != 1).toList();
    out.list(
        others,
        (list, attribute) -> {
          list.word(attribute.getKey());
          list.list(attribute.getValue(), PackedWriter::text);
        });
  }

  private static Map<String, List<String>> readAttributes(PackedReader in) {
    Map<String, List<String>> attributes = new LinkedHashMap<>();
    in.list(single -> Map.entry(single.word(), List.of(single.text())))
        .forEach(single -> attributes.put(single.getKey(), single.getValue()));
    in.list(other -> Map.entry(other.word(), other.list(PackedReader::text)))
        .forEach(other -> attributes.put(other.getKey(), other.getValue()));
    return Collections.unmodifiableMap(attributes);
  }

  /** {@code uid=alice,ou=people,dc=example,dc=org}: people of one branch share all but the name. */
  private static void writeDn(PackedWriter out, String dn, String name) {
    int equals = dn.indexOf('=');
    int comma = equals + 1 + name.length();
    if (equals > 0 && dn.startsWith(name, equals + 1) && comma < dn.length() && dn.charAt(comma) == ',') {
      out.number(OF_NAME);
      out.word(dn.substring(0, equals));
      out.word(dn.substring(comma + 1));
    } else {
      out.number(WHOLE);
      out.text(dn);
    }
  }

  private static String readDn(PackedReader in, String name) {
    return in.number() == WHOLE ? in.text() : in.word() + "=" + name + "," + in.word();
  }
}
