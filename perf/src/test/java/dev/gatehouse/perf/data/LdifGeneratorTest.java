package dev.gatehouse.perf.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldif.LDIFReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LdifGeneratorTest {

  @Test
  void aDirectoryServerTakesItAsItIs() throws Exception {
    InMemoryDirectoryServer server = new InMemoryDirectoryServer(new InMemoryDirectoryServerConfig(People.SUFFIX));
    server.importFromLDIF(true, new LDIFReader(new ByteArrayInputStream(ldif(25))));

    assertThat(count(server, "(objectClass=inetOrgPerson)")).isEqualTo(25);
    assertThat(count(server, "(objectClass=groupOfNames)")).isEqualTo(People.GROUPS);
    assertThat(server.search(People.SUFFIX, SearchScope.SUB, Filter.createEqualityFilter("member", People.dn(25)))
            .getSearchEntries())
        .singleElement()
        .satisfies(group -> assertThat(group.getAttributeValue("cn")).isEqualTo(People.group(25)));
  }

  @Test
  void peopleNameTheGroupsThatHaveThem() throws Exception {
    InMemoryDirectoryServerConfig anyAttribute = new InMemoryDirectoryServerConfig(People.SUFFIX);
    anyAttribute.setSchema(null);
    InMemoryDirectoryServer server = new InMemoryDirectoryServer(anyAttribute);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new LdifGenerator(25, true, n -> {}).write(out);
    server.importFromLDIF(true, new LDIFReader(new ByteArrayInputStream(out.toByteArray())));

    for (int n = 1; n <= 25; n++) {
      Entry person = server.getEntry(People.dn(n));
      assertThat(server.getEntry(person.getAttributeValue("memberOf")).getAttributeValues("member")).contains(People.dn(n));
    }
    assertThat(new String(ldif(25), StandardCharsets.UTF_8)).doesNotContain("memberOf");
  }

  @Test
  void thePasswordIsTheOneThatLoadGeneratorsType() throws Exception {
    InMemoryDirectoryServer server = new InMemoryDirectoryServer(new InMemoryDirectoryServerConfig(People.SUFFIX));
    server.importFromLDIF(true, new LDIFReader(new ByteArrayInputStream(ldif(3))));
    Entry person = server.getEntry(People.dn(3));

    byte[] stored = Base64.getDecoder().decode(person.getAttributeValue("userPassword").substring("{SSHA}".length()));
    MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
    sha1.update(People.password(3).getBytes(StandardCharsets.UTF_8));
    sha1.update(stored, 20, stored.length - 20);
    assertThat(Arrays.copyOf(stored, 20)).isEqualTo(sha1.digest());
  }

  @Test
  void theSameNumberGivesTheSameText() throws IOException {
    assertThat(ldif(120)).isEqualTo(ldif(120));
  }

  @Test
  void progressEndsWithTheLastPerson() throws IOException {
    List<Integer> seen = new ArrayList<>();
    new LdifGenerator(10_001, seen::add).write(new ByteArrayOutputStream());
    assertThat(seen).containsExactly(10_000, 10_001);
  }

  @Test
  void moreThanFourMillionAreRefused() {
    assertThatThrownBy(() -> new LdifGenerator(4_000_001, n -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("4,000,000");
  }

  private static byte[] ldif(int people) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new LdifGenerator(people, n -> {}).write(out);
    return out.toByteArray();
  }

  private static int count(InMemoryDirectoryServer server, String filter) throws Exception {
    return server.search(People.SUFFIX, SearchScope.SUB, filter).getEntryCount();
  }
}
