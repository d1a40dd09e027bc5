package dev.gatehouse.perf.data;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.function.IntConsumer;

/**
 * Writes a directory of N people as LDIF, streaming, so that memory does not grow with N. The same N yields the same
 * text.
 *
 * <p>Passwords are salted SHA-1 ({@code {SSHA}}), the cheapest hash that directories still offer, because the cost of
 * the directory's hashing is not what we measure.
 */
public final class LdifGenerator {

  private static final int PROGRESS_EVERY = 10_000;

  private final int people;
  private final boolean memberOf;
  private final IntConsumer progress;

  /**
   * @param people 1 to 4,000,000
   * @param progress called with the number of people written, every 10,000 and at the end
   */
  public LdifGenerator(int people, IntConsumer progress) {
    this(people, false, progress);
  }

  /** @param memberOf whether people's entries have the DNs of their groups, too */
  public LdifGenerator(int people, boolean memberOf, IntConsumer progress) {
    if (people < 1 || people > 4_000_000) {
      throw new IllegalArgumentException("people: from 1 to 4,000,000, not " + people);
    }
    this.people = people;
    this.memberOf = memberOf;
    this.progress = progress;
  }

  /** Writes everything; does not close {@code out}. */
  public void write(OutputStream out) throws IOException {
    Writer ldif = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), 1 << 16);
    writeTree(ldif);
    for (int n = 1; n <= people; n++) {
      writePerson(ldif, n);
      if (n % PROGRESS_EVERY == 0 || n == people) {
        progress.accept(n);
      }
    }
    for (int g = 0; g < People.GROUPS; g++) {
      writeGroup(ldif, g);
    }
    ldif.flush();
  }

  private static void writeTree(Writer ldif) throws IOException {
    ldif.write("dn: " + People.SUFFIX + "\nobjectClass: dcObject\nobjectClass: organization\no: Example\ndc: example\n\n");
    ldif.write("dn: ou=people," + People.SUFFIX + "\nobjectClass: organizationalUnit\nou: people\n\n");
    ldif.write("dn: ou=groups," + People.SUFFIX + "\nobjectClass: organizationalUnit\nou: groups\n\n");
    for (int unit = 0; unit < People.UNITS; unit++) {
      String ou = "unit" + unit;
      ldif.write("dn: ou=" + ou + ",ou=people," + People.SUFFIX);
      ldif.write("\nobjectClass: organizationalUnit\nou: " + ou + "\n\n");
    }
  }

  private void writePerson(Writer ldif, int n) throws IOException {
    String name = People.name(n);
    ldif.write("dn: " + People.dn(n) + "\nobjectClass: inetOrgPerson\n");
    ldif.write("uid: " + name + "\ncn: Person " + n + "\nsn: Person\ngivenName: Number " + n + "\n");
    ldif.write("mail: " + name + "@example.com\nou: " + People.unit(n) + "\ndepartmentNumber: " + People.group(n) + "\n");
    if (memberOf) {
      ldif.write("memberOf: " + groupDn(People.group(n)) + "\n");
    }
    ldif.write("userPassword: " + saltedSha1(People.password(n), n) + "\n\n");
  }

  private void writeGroup(Writer ldif, int g) throws IOException {
    String group = "group" + g;
    ldif.write("dn: " + groupDn(group) + "\nobjectClass: groupOfNames\ncn: " + group + "\n");
    boolean empty = true;
    for (int n = 1; n <= people; n++) {
      if (People.group(n).equals(group)) {
        ldif.write("member: " + People.dn(n) + "\n");
        empty = false;
      }
    }
    if (empty) {
      // groupOfNames needs a member (RFC 4519, section 3.5).
      ldif.write("member: " + People.SUFFIX + "\n");
    }
    ldif.write("\n");
  }

  private static String groupDn(String group) {
    return "cn=" + group + ",ou=groups," + People.SUFFIX;
  }

  private static String saltedSha1(String password, int n) {
    byte[] salt = {(byte) (n >>> 24), (byte) (n >>> 16), (byte) (n >>> 8), (byte) n};
    try {
      MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
      sha1.update(password.getBytes(StandardCharsets.UTF_8));
      byte[] digest = sha1.digest(salt);
      byte[] both = new byte[digest.length + salt.length];
      System.arraycopy(digest, 0, both, 0, digest.length);
      System.arraycopy(salt, 0, both, digest.length, salt.length);
      return "{SSHA}" + Base64.getEncoder().encodeToString(both);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
