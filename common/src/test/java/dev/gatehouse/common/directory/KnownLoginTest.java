package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import dev.gatehouse.common.directory.Authentication.Accepted;
import dev.gatehouse.common.directory.Authentication.Refused;
import dev.gatehouse.common.directory.Authentication.RefusedReason;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A login of somebody who has just logged in by the same name: what may be half a minute old, and what counts at once. */
final class KnownLoginTest {

  private static final String ALICE = "uid=alice,ou=people,dc=example,dc=org";
  private static final String BOB = "uid=bob,ou=people,dc=example,dc=org";
  private static final String MANAGERS = "cn=managers,ou=groups,dc=example,dc=org";

  private EmbeddedDirectory server;
  private LdapDirectory directory;

  @BeforeEach
  void open() {
    server = EmbeddedDirectory.start(TestPeople.LDIF);
    directory = new LdapDirectory(TestPeople.config(server.port()));
  }

  @AfterEach
  void close() {
    directory.close();
    server.close();
  }

  @Test
  void theEntryIsNotSearchedAgainButItsGroupsAre() throws LDAPException {
    accepted("alice", "demo");
    change(ALICE, new Modification(ModificationType.REPLACE, "mail", "new@example.org"));
    change(MANAGERS, new Modification(ModificationType.ADD, "member", ALICE));
    Person again = accepted("alice", "demo");
    assertThat(again.roles()).as("what gives rights counts at once").containsExactlyInAnyOrder("employee", "manager");
    assertThat(again.attributes().get("mail")).containsExactly("alice@example.org", "a.adams@example.org");
    assertThat(directory.find(again.id())).contains(again);
    // The directory decides which names are equal: another spelling asks it.
    assertThat(accepted("Alice", "demo").attributes().get("mail")).containsExactly("new@example.org");
    change(MANAGERS, new Modification(ModificationType.DELETE, "member", ALICE));
    assertThat(accepted("alice", "demo").roles()).containsExactly("employee");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(&(uid={name})(!(employeeType=left)))", "(&(uid={name})(employeeType=staff))", "(&(uid={name})(employeeType=*))",
        "(&(uid={name})(!(objectClass=device)))", "(&(uid={name})(employeeNumber:1.2.840.113556.1.4.803:=2))"
      })
  void whereTheFilterLocksPeopleOutTheyAreSearchedEachTime(String filter) {
    assertThat(new PersonFilter(filter).looksAtNamesOnly()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(uid={name})", "(&(objectClass=inetOrgPerson)(uid={name}))", "(&(objectClass=person)(|(uid={name})(mail={name})))",
        "(&(objectCategory=person)(objectClass=user)(sAMAccountName={name}))"
      })
  void whereItLooksAtTheNameAloneTheyAreNot(String filter) {
    assertThat(new PersonFilter(filter).looksAtNamesOnly()).isTrue();
  }

  @Test
  void whoIsLockedOutByTheFilterIsRefusedAtOnce() throws LDAPException {
    try (LdapDirectory narrow =
        new LdapDirectory(TestPeople.withFilter(server.port(), "(&(uid={name})(!(employeeType=left)))"))) {
      assertThat(narrow.authenticate("alice", Password.of("demo"))).isInstanceOf(Accepted.class);
      change(ALICE, new Modification(ModificationType.REPLACE, "employeeType", "left"));
      assertThat(narrow.authenticate("alice", Password.of("demo"))).isEqualTo(new Refused(RefusedReason.UNKNOWN_NAME));
    }
  }

  @Test
  void aChangedPasswordCountsAtOnce() throws LDAPException {
    accepted("alice", "demo");
    change(ALICE, new Modification(ModificationType.REPLACE, "userPassword", "changed"));
    assertThat(login("alice", "demo")).isEqualTo(new Refused(RefusedReason.WRONG_PASSWORD));
    accepted("alice", "changed");
  }

  @Test
  void whoWasRemovedIsRefusedAtOnce() throws LDAPException {
    accepted("alice", "demo");
    server.server().delete(ALICE);
    assertThat(login("alice", "demo")).isEqualTo(new Refused(RefusedReason.UNKNOWN_NAME));
  }

  @Test
  void whoWasMovedLogsInAtOnce() throws LDAPException {
    accepted("alice", "demo");
    server.server().modifyDN(ALICE, "cn=moved", false);
    assertThat(accepted("alice", "demo").dn()).isEqualTo("cn=moved,ou=people,dc=example,dc=org");
  }

  @Test
  void aNameThatPassedToAnotherPersonIsTheirs() throws LDAPException {
    PersonId alice = accepted("alice", "demo").id();
    change(BOB, new Modification(ModificationType.REPLACE, "userPassword", "of bob"));
    server.server().delete(ALICE);
    change(BOB, new Modification(ModificationType.ADD, "uid", "alice"));
    assertThat(accepted("alice", "of bob").id()).isNotEqualTo(alice).isEqualTo(accepted("bob", "of bob").id());
  }

  @Test
  void anUnknownNameStaysUnknown() {
    assertThat(login("nobody", "demo")).isEqualTo(new Refused(RefusedReason.UNKNOWN_NAME));
    assertThat(login("", "demo")).isEqualTo(new Refused(RefusedReason.UNKNOWN_NAME));
    assertThat(login("", "demo")).isEqualTo(new Refused(RefusedReason.UNKNOWN_NAME));
  }

  private void change(String dn, Modification modification) throws LDAPException {
    server.server().modify(dn, List.of(modification));
  }

  private Person accepted(String name, String password) {
    Authentication result = login(name, password);
    assertThat(result).isInstanceOf(Accepted.class);
    return ((Accepted) result).person();
  }

  private Authentication login(String name, String password) {
    return directory.authenticate(name, Password.of(password));
  }
}
