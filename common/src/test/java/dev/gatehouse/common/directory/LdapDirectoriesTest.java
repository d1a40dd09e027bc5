package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.directory.Authentication.Accepted;
import dev.gatehouse.common.directory.Authentication.Refused;
import dev.gatehouse.common.directory.Authentication.RefusedReason;
import dev.gatehouse.common.metric.HistogramFamily;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.DirectoryConfig.Security;
import dev.gatehouse.common.realm.FixedRealms;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TestRealms;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LdapDirectoriesTest {

  private EmbeddedDirectory server;

  @BeforeEach
  void open() {
    server = EmbeddedDirectory.start(TestPeople.LDIF);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static Realm withoutDirectory(Realm demo) {
    return new Realm(
        "none", demo.revision(), demo.brand(), demo.keys(), Optional.empty(), demo.sp(), Optional.empty(),
        demo.parties(), demo.gateway(), demo.federation());
  }

  @Test
  void realmsWithTheSameConfigurationShareADirectory() {
    Realm one = realm("one", TestPeople.config(server.port()));
    Realm two = realm("two", TestPeople.config(server.port()));
    Realm other = realm("other", TestPeople.config(server.port(), server.port()));
    try (LdapDirectories directories = new LdapDirectories(new FixedRealms(one, two, other))) {
      assertThat(directories.of(one)).isSameAs(directories.of(two)).isNotSameAs(directories.of(other));
    }
  }

  @Test
  void timesFailuresAndConnectionsAreMeasured() throws Exception {
    MetricFamilies metrics = MetricFamilies.unpublished();
    Realm right = realm("demo", TestPeople.config(server.port()));
    try (LdapDirectories directories = new LdapDirectories(new FixedRealms(right))) {
      directories.publish(metrics);
      assertThat(directories.of(right).authenticate("alice", Password.of("demo"))).isInstanceOf(Accepted.class);
      Map<String, Long> operations = new HashMap<>();
      ((HistogramFamily) metrics.families().getFirst())
          .forEach((labels, times) -> operations.put(labels.getFirst(), Arrays.stream(times.counts()).sum()));
      assertThat(operations).hasSize(2).containsEntry("bind", 1L);
      assertThat(operations.get("search")).isPositive();
      assertThat(((SampleFamily) metrics.families().get(1)).samples()).isEqualTo(Map.of(List.of(), 0.0));
      Map<List<String>, Double> connections = ((SampleFamily) metrics.families().get(2)).samples();
      assertThat(connections).containsEntry(List.of("used"), 0.0).containsEntry(List.of("waiting"), 0.0);
      assertThat(connections.get(List.of("limit"))).isPositive();
      server.close();
      assertThat(directories.of(right).authenticate("bob", Password.of("demo"))).isInstanceOf(Authentication.Unavailable.class);
      assertThat(((SampleFamily) metrics.families().get(1)).samples().get(List.of())).isPositive();
    }
  }

  @Test
  void aServicePasswordThatIsCorrectedInTheConfigurationCountsAtOnce() {
    Realm wrong =
        realm(
            "demo",
            TestPeople.config(
                Security.PLAIN_LOOPBACK, Optional.empty(), Optional.of(TestPeople.SERVICE), "wrong", 4, server.port()));
    Realm right = realm("demo", TestPeople.config(server.port()));
    FixedRealms realms = new FixedRealms(wrong);
    try (LdapDirectories directories = new LdapDirectories(realms)) {
      assertThat(directories.of(wrong).authenticate("alice", Password.of("demo")))
          .isInstanceOf(Authentication.Unavailable.class);
      realms.set(right);
      assertThat(directories.of(right).authenticate("alice", Password.of("demo")))
          .isInstanceOf(Authentication.Accepted.class);
    }
  }

  @Test
  void aRealmWithoutADirectoryIsAMistakeOfTheCaller() {
    Realm demo = TestRealms.demo();
    Realm none = withoutDirectory(demo);
    try (LdapDirectories directories = new LdapDirectories(new FixedRealms(none))) {
      assertThatThrownBy(() -> directories.of(none)).isInstanceOf(IllegalStateException.class).hasMessageContaining("none");
    }
  }

  @Test
  void whomAnAdministratorMeansIsALoginNamesOwnerElseAnId() {
    Realm demo = realm("demo", TestPeople.config(server.port()));
    Realm none = withoutDirectory(demo);
    try (LdapDirectories directories = new LdapDirectories(new FixedRealms(demo, none))) {
      PersonId alice = directories.meant(demo, "alice");
      assertThat(directories.of(demo).find(alice).orElseThrow().name()).isEqualTo("alice");
      assertThat(directories.meant(demo, " ALICE")).as("as at login").isEqualTo(alice);
      assertThat(directories.meant(demo, alice.value())).isEqualTo(alice);
      assertThat(directories.meant(demo, "nobody")).isEqualTo(new PersonId("nobody"));
      assertThat(directories.meant(none, "alice")).as("no directory").isEqualTo(new PersonId("alice"));
    }
  }

  @Test
  void aDirectoryThatNoRealmUsesIsClosedAfterItsGrace() {
    Realm before = realm("demo", TestPeople.config(server.port()));
    Realm after = realm("demo", TestPeople.config(server.port(), server.port()));
    FixedRealms realms = new FixedRealms(before);
    try (LdapDirectories directories = new LdapDirectories(realms, Duration.ofMillis(200))) {
      Directory old = directories.of(before);
      assertThat(old.authenticate("alice", Password.of("demo"))).isInstanceOf(Accepted.class);
      LdapServer itsServer = ((LdapDirectory) old).servers().all().getFirst();
      realms.set(after);
      // Requests that began before the change still find the old directory.
      assertThat(directories.of(before)).isSameAs(old);
      assertThat(directories.of(after)).isNotSameAs(old);
      Eventually.holds(() -> itsServer.openConnections() == 0);
    }
  }

  @Test
  void anEntryWithoutAnIdIsRefused() {
    DirectoryConfig config = TestPeople.config(server.port());
    DirectoryConfig wrong =
        new DirectoryConfig(config.servers(), config.security(), config.trust(), config.bindDn(), config.bindPassword(),
            new DirectoryConfig.People(config.people().baseDn(), config.people().filter(), "employeeNumber", config.people().nameAttribute(),
                config.people().attributes()),
            config.groups(), new DirectoryConfig.Pool(config.pool().size(), config.pool().connectTimeout(), config.pool().responseTimeout()));
    try (LdapDirectory directory = new LdapDirectory(wrong)) {
      assertThat(directory.authenticate("alice", Password.of("demo")))
          .isEqualTo(new Refused(RefusedReason.INCOMPLETE_ENTRY));
    }
  }

  /** The design: a change in the directory takes effect within 60 s, for a login at once. */
  @Test
  void aLoginReadsFreshAndFindFollows() throws Exception {
    try (LdapDirectory directory = new LdapDirectory(TestPeople.config(server.port()))) {
      Person alice = ((Accepted) directory.authenticate("alice", Password.of("demo"))).person();
      server.server().modify(
          "cn=managers,ou=groups,dc=example,dc=org",
          new Modification(ModificationType.ADD, "member", "uid=alice,ou=people,dc=example,dc=org"));
      assertThat(directory.find(alice.id()).orElseThrow().roles()).containsExactly("employee");
      assertThat(LdapDirectory.FRESH).isLessThanOrEqualTo(Duration.ofSeconds(60));
      Person fresh = ((Accepted) directory.authenticate("alice", Password.of("demo"))).person();
      assertThat(fresh.roles()).containsExactlyInAnyOrder("employee", "manager");
      assertThat(directory.find(alice.id())).contains(fresh);
    }
  }

  private static Realm realm(String name, DirectoryConfig directory) {
    return TestRealms.change(TestRealms.demo()).name(name).directory(directory).realm();
  }
}
