package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.Authentication.Accepted;
import dev.gatehouse.common.directory.Authentication.Refused;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.DirectoryConfig.GroupConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A real server that gives a thousand entries at once, as Active Directory does, and a person with more groups. */
final class PagedGroupsTest {

  private static final int GROUPS = 2_300;
  private static final String PAGED = "limits dn.exact=\"" + TestPeople.SERVICE + "\" size=1000 size.prtotal=unlimited";

  @Test
  void allGroupsOfAPersonAreReadWhereTheServerGivesAThousandAtOnce() {
    try (Slapd slapd = Slapd.start(List.of(PAGED), TestPeople.LDIF, groups());
        LdapDirectory directory = new LdapDirectory(TestPeople.config(slapd.port()))) {
      List<String> expected = new ArrayList<>(List.of("Employees"));
      IntStream.range(0, GROUPS).forEach(i -> expected.add("group " + i));
      assertThat(login(directory))
          .isInstanceOfSatisfying(
              Accepted.class,
              accepted -> assertThat(accepted.person().groups()).containsExactlyInAnyOrderElementsOf(expected));
    }
  }

  /** With only some of the groups, rights would be missing, or a rule that excludes a group would not apply. */
  @Test
  void whoIsInMoreGroupsThanAreReadIsRefusedAndOthersAreNot() {
    try (Slapd slapd = Slapd.start(List.of(PAGED), TestPeople.LDIF, groups());
        LdapDirectory directory = new LdapDirectory(most(TestPeople.config(slapd.port()), GROUPS))) {
      assertThat(login(directory)).isEqualTo(new Refused(Authentication.RefusedReason.INCOMPLETE_ENTRY));
      assertThat(directory.authenticate("bob", Password.of("demo"))).isInstanceOf(Accepted.class);
      assertThat(directory.isAvailable()).isTrue();
    }
    try (Slapd slapd = Slapd.start(List.of(PAGED), TestPeople.LDIF, groups());
        LdapDirectory directory = new LdapDirectory(most(TestPeople.config(slapd.port()), GROUPS + 1))) {
      assertThat(login(directory)).isInstanceOf(Accepted.class);
    }
  }

  @Test
  void aServerThatGivesNoMorePagesEitherIsNotTakenForOneThatHasNoMore() {
    try (Slapd slapd = Slapd.start(TestPeople.LDIF, groups());
        LdapDirectory directory = new LdapDirectory(TestPeople.config(slapd.port()))) {
      assertThat(login(directory)).isEqualTo(new Refused(Authentication.RefusedReason.INCOMPLETE_ENTRY));
      assertThat(directory.isAvailable()).isTrue();
    }
  }

  private static String groups() {
    StringBuilder ldif = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      ldif.append(
          """
          dn: cn=group %1$d,ou=groups,dc=example,dc=org
          objectClass: groupOfNames
          cn: group %1$d
          member: uid=alice,ou=people,dc=example,dc=org

          """
              .formatted(i));
    }
    return ldif.toString();
  }

  private static DirectoryConfig most(DirectoryConfig c, int most) {
    GroupConfig g = c.groups();
    return new DirectoryConfig(
        c.servers(), c.security(), c.trust(), c.bindDn(), c.bindPassword(),
        new DirectoryConfig.People(c.people().baseDn(), c.people().filter(), c.people().idAttribute(),
        c.people().nameAttribute(), c.people().attributes()), new GroupConfig(g.baseDn(), g.filter(), g.nameAttribute(), g.roles(), most),
        new DirectoryConfig.Pool(c.pool().size(), c.pool().connectTimeout(), c.pool().responseTimeout()));
  }

  private static Authentication login(LdapDirectory directory) {
    return directory.authenticate("alice", Password.of("demo"));
  }
}
