package dev.gatehouse.gateway.interop;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory of 10,000 people, {@code user000001} and so on, in ten units and ten groups; password {@code demo}. */
final class ManyPeople {

  static final int COUNT = 10_000;
  private static final int GROUPS = 10;
  private static final String BASE = "dc=example,dc=org";

  private ManyPeople() {}

  static Path writeTo(Path file) throws IOException {
    try (Writer ldif = Files.newBufferedWriter(file)) {
      ldif.write("dn: " + BASE + "\nobjectClass: dcObject\nobjectClass: organization\ndc: example\no: Example\n\n");
      unit(ldif, "people", BASE);
      unit(ldif, "groups", BASE);
      for (int i = 0; i < GROUPS; i++) {
        unit(ldif, "unit" + i, "ou=people," + BASE);
      }
      for (int n = 1; n <= COUNT; n++) {
        person(ldif, n);
      }
      for (int group = 0; group < GROUPS; group++) {
        group(ldif, group);
      }
    }
    return file;
  }

  static String name(int n) {
    return "user%06d".formatted(n);
  }

  private static String dn(int n) {
    return "uid=" + name(n) + ",ou=unit" + n % GROUPS + ",ou=people," + BASE;
  }

  private static void unit(Writer ldif, String name, String above) throws IOException {
    ldif.write("dn: ou=" + name + "," + above + "\nobjectClass: organizationalUnit\nou: " + name + "\n\n");
  }

  private static void person(Writer ldif, int n) throws IOException {
    String name = name(n);
    ldif.write("dn: " + dn(n) + "\nobjectClass: inetOrgPerson\nuid: " + name + "\ncn: Person " + n + "\nsn: " + n);
    ldif.write("\nmail: " + name + "@example.org\nuserPassword: demo\n\n");
  }

  private static void group(Writer ldif, int group) throws IOException {
    ldif.write("dn: cn=group" + group + ",ou=groups," + BASE + "\nobjectClass: groupOfNames\ncn: group" + group + "\n");
    for (int n = 1; n <= COUNT; n++) {
      if (n % GROUPS == group) {
        ldif.write("member: " + dn(n) + "\n");
      }
    }
    ldif.write("\n");
  }
}
