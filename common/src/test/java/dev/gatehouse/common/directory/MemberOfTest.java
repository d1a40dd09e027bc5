package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchResultEntry;
import dev.gatehouse.common.directory.Authentication.Accepted;
import dev.gatehouse.common.directory.Authentication.Refused;
import dev.gatehouse.common.directory.Authentication.RefusedReason;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.DirectoryConfig.GroupConfig;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups that the person's entry names: they come with it, and each login has those of now. */
final class MemberOfTest {

  private static final String ALICE = "uid=alice,ou=people,dc=example,dc=org";
  private static final String GROUPS = "ou=groups,dc=example,dc=org";
  private static final String EMPLOYEES = "cn=employees," + GROUPS;
  private static final String MANAGERS = "cn=managers," + GROUPS;

  private EmbeddedDirectory server;
  private LdapDirectory directory;

  @BeforeEach
  void open() {
    server = EmbeddedDirectory.start(TestPeople.LDIF);
    directory = new LdapDirectory(config(server.port(), 100));
  }

  @AfterEach
  void close() {
    directory.close();
    server.close();
  }

  private static DirectoryConfig config(int port, int most) {
    return config(port, GROUPS, most);
  }

  private static DirectoryConfig config(int port, String base, int most) {
    DirectoryConfig c = TestPeople.config(port);
    GroupConfig g = c.groups();
    return new DirectoryConfig(
        c.servers(), c.security(), c.trust(), c.bindDn(), c.bindPassword(), c.people(),
        new GroupConfig(base, g.filter(), g.nameAttribute(), g.roles(), most, Optional.of("memberOf")), c.pool());
  }

  @Test
  void groupsAreThoseOfTheEntryAndAreNotSearched() throws LDAPException {
    give(EMPLOYEES, "cn=Team\\, leads," + GROUPS);
    // A search would fail now.
    for (String dn : List.of(EMPLOYEES, MANAGERS, GROUPS)) {
      server.server().delete(dn);
    }
    Person alice = accepted(directory);
    assertThat(alice.groups()).containsExactly("employees", "Team, leads");
    assertThat(alice.roles()).containsExactly("employee");
    try (LdapDirectory other = new LdapDirectory(config(server.port(), 100))) {
      assertThat(other.find(alice.id())).contains(alice);
      assertThat(other.findEnabled(alice.id())).contains(alice);
      assertThat(other.findEnabled("mail", "alice@example.org")).isEqualTo(new PersonSearch.One(alice));
    }
  }

  @Test
  void aGroupThatIsGivenOrTakenCountsAtTheNextLoginByTheSameName() throws LDAPException {
    assertThat(accepted(directory).roles()).isEmpty();
    give(MANAGERS);
    assertThat(accepted(directory).roles()).containsExactly("manager");
    server.server().modify(ALICE, List.of(new Modification(ModificationType.DELETE, "memberOf")));
    assertThat(accepted(directory).roles()).isEmpty();
  }

  /** A group elsewhere may have the same name, and somebody else may manage it. */
  @Test
  void groupsThatAreNotBelowTheBaseDoNotCount() throws LDAPException {
    give(
        "cn=managers,ou=people,dc=example,dc=org",
        "cn=managers," + GROUPS + ",dc=elsewhere",
        "cn=managers," + GROUPS.replace(",", "\\,") + ",ou=people,dc=example,dc=org",
        "dc=example,dc=org",
        "CN=Employees, OU=Groups, DC=example, DC=org");
    Person alice = accepted(directory);
    assertThat(alice.groups()).containsExactly("Employees");
    assertThat(alice.roles()).containsExactly("employee");
  }

  /** A search below it finds it, too. */
  @Test
  void theBaseItselfMayBeAGroup() throws LDAPException {
    give(EMPLOYEES, MANAGERS);
    try (LdapDirectory one = new LdapDirectory(config(server.port(), EMPLOYEES, 100))) {
      assertThat(accepted(one).groups()).containsExactly("employees");
    }
  }

  /** With only some of the groups a rule that excludes a group would not apply. */
  @ParameterizedTest
  @ValueSource(strings = {"ou=managers,ou=groups,dc=example,dc=org", "no DN"})
  void whoHasAGroupThatCannotBeReadIsRefused(String group) throws LDAPException {
    give(EMPLOYEES, group);
    assertThat(login(directory)).isEqualTo(new Refused(RefusedReason.INCOMPLETE_ENTRY));
  }

  /** Pieces of Active Directory have been joined by then: ActiveDirectoryTest. */
  @Test
  void whoHasGroupsWithAnOptionIsRefused() {
    SearchResultEntry entry =
        new SearchResultEntry(ALICE, List.of(new Attribute("memberOf", EMPLOYEES), new Attribute("MEMBEROF;x-more", MANAGERS)));
    assertThat(new PersonReader(config(1, 5000)).groupsIn(entry)).get().isInstanceOf(PersonReader.Groups.Unknown.class);
  }

  @Test
  void whoIsInMoreGroupsThanAreReadIsRefused() throws LDAPException {
    give(EMPLOYEES, MANAGERS);
    try (LdapDirectory one = new LdapDirectory(config(server.port(), 1));
        LdapDirectory two = new LdapDirectory(config(server.port(), 2))) {
      assertThat(login(one)).isEqualTo(new Refused(RefusedReason.INCOMPLETE_ENTRY));
      assertThat(accepted(two).roles()).containsExactlyInAnyOrder("employee", "manager");
    }
  }

  @Test
  void aServerThatMaintainsThemTellsThemToTheServiceAccount() throws LDAPException {
    try (Slapd slapd = Slapd.start(List.of("overlay memberof"), TestPeople.LDIF);
        LdapDirectory real = new LdapDirectory(config(slapd.port(), 100))) {
      slapd.modify(MANAGERS, new Modification(ModificationType.ADD, "member", ALICE));
      assertThat(accepted(real).roles()).contains("manager");
      slapd.modify(MANAGERS, new Modification(ModificationType.DELETE, "member", ALICE));
      assertThat(accepted(real).roles()).doesNotContain("manager");
    }
  }

  private void give(String... groups) throws LDAPException {
    server.server().modify(ALICE, List.of(new Modification(ModificationType.ADD, "memberOf", groups)));
  }

  private static Person accepted(LdapDirectory at) {
    Authentication result = login(at);
    assertThat(result).isInstanceOf(Accepted.class);
    return ((Accepted) result).person();
  }

  private static Authentication login(LdapDirectory at) {
    return at.authenticate("alice", Password.of("demo"));
  }
}
