package dev.gatehouse.idp.otp.people;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.sdk.LDAPConnection;
import dev.gatehouse.common.admin.PeopleDesk.PeopleCounts;
import dev.gatehouse.common.admin.PeopleDesk.Reason;
import dev.gatehouse.common.directory.LdapDirectory;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.directory.Slapd;
import dev.gatehouse.common.directory.TestPeople;
import dev.gatehouse.common.otp.KnownPerson;
import dev.gatehouse.common.otp.KnownPerson.Status;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.realm.TokenLogin.Limit;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The register of people from a real slapd. */
@Timeout(120)
final class PeopleFromSlapdTest {

  private static final TokenLogin.People RULES =
      new TokenLogin.People(
          Optional.of("ou=people," + TestPeople.BASE), Optional.of("(!(employeeType=robot))"), "cn", "mail", Optional.of("seeAlso"), Optional.empty(),
          new Limit(1, false));

  private static KnownPerson named(PeopleWorld world, String name) {
    return world.known.list("demo", name, Optional.empty(), "", 10).getFirst();
  }

  @Test
  void renamedAndMovedEntriesAreTheSamePeopleAndDeletedOnesAreGone() throws Exception {
    String more =
        TestPeople.person("uid=carol", "carol", "Carol", "seeAlso: cn=staff,ou=groups,dc=example,dc=org\n")
            + TestPeople.person("uid=r2", "r2", "Robot", "employeeType: robot\n")
            + "dn: ou=branch,ou=people,dc=example,dc=org\nobjectClass: organizationalUnit\nou: branch\n";
    try (Slapd slapd = Slapd.start(TestPeople.LDIF, more);
        LdapDirectory directory = new LdapDirectory(TestPeople.config(Duration.ofSeconds(3), slapd.port()));
        PeopleWorld world = new PeopleWorld(RULES);
        LDAPConnection administrator = new LDAPConnection("127.0.0.1", slapd.port(), Slapd.ADMIN, "admin")) {
      world.use(directory);
      // The twins have one name; the robot is none of the people.
      assertThat(world.synchronised().counts()).isEqualTo(new PeopleCounts(7, 5, 0, 0, 0, 0, 2, 0));
      PersonId carol = named(world, "carol").id();
      assertThat(named(world, "carol").groups()).containsExactly("staff");
      world.give("t-1", carol.value());
      administrator.modifyDN("uid=carol,ou=people,dc=example,dc=org", "uid=caroline", true, "ou=branch,ou=people,dc=example,dc=org");
      assertThat(world.synchronised().counts()).isEqualTo(new PeopleCounts(7, 0, 0, 1, 0, 0, 2, 0));
      assertThat(named(world, "caroline").id()).isEqualTo(carol);
      assertThat(world.tokens.of("demo", carol)).hasSize(1);
      // Whoever becomes something else than the filter says keeps the token: without it, a password might be enough.
      administrator.modify("dn: uid=caroline,ou=branch,ou=people,dc=example,dc=org", "changetype: modify", "add: employeeType", "employeeType: robot");
      assertThat(world.synchronised().counts()).isEqualTo(new PeopleCounts(6, 0, 1, 0, 0, 0, 2, 0));
      assertThat(named(world, "caroline").status()).isEqualTo(Status.SUSPENDED);
      assertThat(world.tokens.of("demo", carol)).hasSize(1);
      administrator.delete("uid=caroline,ou=branch,ou=people,dc=example,dc=org");
      assertThat(world.synchronisedForSure().counts()).isEqualTo(new PeopleCounts(6, 0, 0, 0, 0, 1, 2, 1));
      assertThat(world.tokens.of("demo", carol)).isEmpty();
      // One a day is the limit.
      administrator.delete("uid=bob,ou=people,dc=example,dc=org");
      assertThat(world.stopped()).isEqualTo(Reason.TOO_MANY_GONE);
      world.time.advance(Duration.ofDays(2));
      slapd.freeze();
      try {
        assertThat(world.stopped()).isEqualTo(Reason.DIRECTORY_UNAVAILABLE);
      } finally {
        slapd.thaw();
      }
      assertThat(named(world, "bob").status()).isEqualTo(Status.ACTIVE);
      dev.gatehouse.common.Eventually.holds(directory::isAvailable);
      assertThat(world.synchronisedForSure().counts().gone()).isEqualTo(1);
      assertThat(world.known.list("demo", "", Optional.of(Status.GONE), "", 10)).extracting(KnownPerson::name)
          .containsExactlyInAnyOrder("caroline", "bob");
      assertThat(List.copyOf(world.known.all("demo").values())).hasSize(5);
    }
  }
}
