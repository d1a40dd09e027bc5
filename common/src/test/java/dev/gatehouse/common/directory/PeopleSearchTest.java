package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.directory.PeopleSearch.Entry;
import dev.gatehouse.common.directory.PeopleSearch.Outcome;
import dev.gatehouse.common.directory.PeopleSearch.Query;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The search for all people of a real server. */
@Timeout(120)
final class PeopleSearchTest {

  private static final int PEOPLE = 1_700;
  private static final String PAGED = "limits dn.exact=\"" + TestPeople.SERVICE + "\" size=1000 size.prtotal=unlimited";
  private static final Query ALL = new Query(Optional.empty(), Optional.empty(), "cn", "mail", Optional.empty());

  private static String many() {
    StringBuilder ldif = new StringBuilder();
    for (int i = 0; i < PEOPLE; i++) {
      ldif.append(TestPeople.person("uid=p" + i, "p" + i, "Person " + i, "employeeType: " + (i % 2 == 0 ? "staff" : "guest") + "\n"));
    }
    return ldif.toString();
  }

  private static List<Entry> all(LdapDirectory directory, Query query) {
    Outcome outcome = directory.people(query, read -> {});
    assertThat(outcome).isInstanceOf(Outcome.All.class);
    return ((Outcome.All) outcome).entries();
  }

  @Test
  void allPeopleAreReadInPagesWithTheMappedAttributes() {
    try (Slapd slapd = Slapd.start(List.of(PAGED), TestPeople.LDIF, many());
        LdapDirectory directory = new LdapDirectory(TestPeople.config(slapd.port()))) {
      List<Long> progress = new ArrayList<>();
      Outcome outcome = directory.people(ALL, progress::add);
      List<Entry> entries = ((Outcome.All) outcome).entries();
      assertThat(entries).hasSize(PEOPLE + 6);
      assertThat(progress).hasSizeGreaterThan(3).isSorted().endsWith((long) entries.size());
      Entry alice = entries.stream().filter(one -> one.name().equals(Optional.of("alice"))).findFirst().orElseThrow();
      assertThat(alice.displayName()).contains("Alice Adams");
      assertThat(alice.mail()).contains("alice@example.org");
      assertThat(alice.dn()).isEqualTo("uid=alice,ou=people,dc=example,dc=org");
      assertThat(alice.id().orElseThrow().value()).matches("[0-9a-f-]{36}");
      assertThat(entries.stream().map(Entry::id).distinct()).hasSize(entries.size());
      // A filter and a base are conditions beside the directory's own.
      Query staff = new Query(Optional.of("ou=people," + TestPeople.BASE), Optional.of("(employeeType=staff)"), "cn", "mail", Optional.empty());
      assertThat(all(directory, staff)).hasSize(PEOPLE / 2);
      PersonId id = alice.id().orElseThrow();
      PersonId nobody = new PersonId("no-such-id)(|(uid=*))");
      assertThat(directory.present(ALL, List.of(id, nobody))).isEqualTo(Set.of(id));
      assertThat(directory.present(staff, List.of(id))).isEmpty();
      assertThat(directory.existing(List.of(id, nobody))).isEqualTo(Set.of(id));
    }
  }

  @Test
  void aServerThatEndsTheSearchHasNotToldEverybody() {
    try (Slapd slapd = Slapd.start(TestPeople.LDIF, many());
        LdapDirectory directory = new LdapDirectory(TestPeople.config(slapd.port()))) {
      assertThat(directory.people(ALL, read -> {}))
          .isInstanceOfSatisfying(Outcome.Incomplete.class, incomplete -> assertThat(incomplete.why()).contains("size limit exceeded"));
      assertThat(directory.isAvailable()).isTrue();
    }
  }

  @Test
  void aReferralIsNoAnswerOfEverybody() {
    String elsewhere =
        """
        dn: ou=abroad,dc=example,dc=org
        objectClass: referral
        objectClass: extensibleObject
        ou: abroad
        ref: ldap://127.0.0.1:1/ou=abroad,dc=example,dc=org

        """;
    try (Slapd slapd = Slapd.start(TestPeople.LDIF, elsewhere);
        LdapDirectory directory = new LdapDirectory(TestPeople.config(slapd.port()))) {
      assertThat(directory.people(ALL, read -> {}))
          .isInstanceOfSatisfying(Outcome.Incomplete.class, incomplete -> assertThat(incomplete.why()).contains("refers to another one"));
      // Below a base without referrals everybody is told.
      assertThat(all(directory, new Query(Optional.of("ou=people," + TestPeople.BASE), Optional.empty(), "cn", "mail", Optional.empty()))).hasSize(6);
    }
  }

  @Test
  void aServerThatHangsInTheMiddleEndsTheSearchInTime() {
    try (Slapd slapd = Slapd.start(List.of(PAGED), TestPeople.LDIF, many());
        LdapDirectory directory = new LdapDirectory(TestPeople.config(Duration.ofSeconds(2), slapd.port()))) {
      try {
        assertThatThrownBy(
                () ->
                    directory.people(
                        ALL,
                        read -> {
                          if (read == 500) {
                            slapd.freeze();
                          }
                        }))
            .isInstanceOf(DirectoryUnavailable.class);
      } finally {
        slapd.thaw();
      }
    }
  }

  /** The second server begins anew: a page of the first one is never continued at another. */
  @Test
  void theNextServerTellsEverybodyIfTheFirstOneStops() {
    try (Slapd first = Slapd.start(List.of(PAGED), TestPeople.LDIF, many());
        Slapd second = Slapd.start(List.of(PAGED), TestPeople.LDIF, many());
        LdapDirectory directory = new LdapDirectory(TestPeople.config(first.port(), second.port()))) {
      boolean[] stopped = {false};
      Outcome outcome =
          directory.people(
              ALL,
              read -> {
                if (!stopped[0]) {
                  stopped[0] = true;
                  first.kill();
                }
              });
      assertThat(((Outcome.All) outcome).entries()).hasSize(PEOPLE + 6);
    }
  }
}
