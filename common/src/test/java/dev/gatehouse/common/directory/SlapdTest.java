package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.DirectoryConfig.Security;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SlapdTest extends DirectoryContract {

  /** Only the service account reads these: neither people nor anonymous connections do. */
  private static final List<String> FOR_THE_SERVICE_ALONE =
      List.of(
          "access to attrs=mail,member by dn.exact=" + TestPeople.SERVICE + " read by * none");

  @Override
  TestDirectoryServer start() {
    return Slapd.start(TestPeople.LDIF);
  }

  @Test
  void oneConnectionSearchesAsTheServiceAfterEachLogin() {
    try (Slapd slapd = Slapd.start(FOR_THE_SERVICE_ALONE, TestPeople.LDIF);
        LdapDirectory one = new LdapDirectory(withOneConnection(slapd.port()))) {
      for (String name : List.of("alice", "bob", "alice")) {
        assertThat(one.authenticate(name, Password.of("wrong"))).isInstanceOf(Authentication.Refused.class);
        assertThat(one.findBy("mail", "a.adams@example.org")).as("as nobody").isInstanceOf(PersonSearch.One.class);

        Person person = ((Authentication.Accepted) one.authenticate(name, Password.of("demo"))).person();
        assertThat(person.groups()).as("searched after the bind as %s", name).contains("Employees");
        assertThat(one.findBy("mail", "bob@example.org"))
            .isInstanceOfSatisfying(
                PersonSearch.One.class,
                found -> assertThat(found.person().attributes()).isEqualTo(
                    Map.of("cn", List.of("Bob (Brown*)"), "mail", List.of("bob@example.org"))));
      }
    }
  }

  private static DirectoryConfig withOneConnection(int port) {
    return TestPeople.config(
        Security.PLAIN_LOOPBACK, Optional.empty(), Optional.of(TestPeople.SERVICE), TestPeople.SERVICE_PASSWORD, 1, port);
  }
}
