package dev.gatehouse.idp.session;

import dev.gatehouse.common.codec.PackedAttributes;
import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import java.util.Optional;
import java.util.Set;

/** A person within a packed record that already contains the person's id. */
public final class PackedPerson {

  /** The form of a DN: whole, or as {@code type=name,suffix} if its first value is the login name. */
  private static final int WHOLE = 0;

  private static final int OF_NAME = 1;

  private PackedPerson() {}

  public static void write(PackedWriter out, Person person, PersonId known) {
    out.optional(Optional.of(person.id()).filter(id -> !id.equals(known)), (o, id) -> o.text(id.value()));
    out.text(person.name());
    writeDn(out, person.dn(), person.name());
    PackedAttributes.write(out, person.attributes());
    out.words(person.groups());
    out.words(person.roles());
  }

  /**
   * Reads a person.
   *
   * @throws IllegalArgumentException for input that {@link #write} did not write
   */
  public static Person read(PackedReader in, PersonId known) {
    PersonId id = in.optional(other -> new PersonId(other.text())).orElse(known);
    String name = in.text();
    String dn = readDn(in, name);
    return new Person(id, name, dn, PackedAttributes.read(in), in.words(), Set.copyOf(in.words()));
  }

  /** For example {@code uid=alice,ou=people,dc=example,dc=org}: people in one branch share everything but the name. */
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
