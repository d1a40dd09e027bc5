package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.common.directory.Authentication.Accepted;
import dev.gatehouse.common.directory.Authentication.MustChangePassword;
import dev.gatehouse.common.directory.Authentication.Refused;
import dev.gatehouse.common.directory.Authentication.RefusedReason;
import dev.gatehouse.common.directory.PeopleSearch.Entry;
import dev.gatehouse.common.directory.PeopleSearch.Outcome;
import dev.gatehouse.common.directory.PeopleSearch.Query;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.DirectoryConfig.GroupConfig;
import dev.gatehouse.common.realm.DirectoryConfig.Security;
import dev.gatehouse.common.realm.DirectoryConfig.Server;
import dev.gatehouse.common.realm.Secret;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real domain controller of Active Directory's kind: Samba's (Debian's packages {@code samba}, {@code samba-ad-provision},
 * {@code samba-vfs-modules} and {@code samba-dsdb-modules}), a domain of its own in a temporary folder, over LDAPS. It needs root
 * and port 636 of loopback. Where one of these is missing the test is skipped by name; where a package is, it fails under {@code
 * CI=true}.
 */
final class SambaTest {

  private static final String BASE = "DC=corp,DC=example";
  private static final String ADMIN_PASSWORD = "Passw0rd.Admin";
  private static final String PASSWORD = "Demo-1234";
  private static final int LDAPS = 636;
  private static final Duration START = Duration.ofMinutes(2);

  @TempDir
  private static Path home;

  private static Process samba;
  private static DirectoryConfig config;

  @BeforeAll
  static void start() throws Exception {
    requireInstalled();
    tool("domain", "provision", "--targetdir=" + home.resolve("d"), "--realm=CORP.EXAMPLE", "--domain=CORP",
        "--server-role=dc", "--dns-backend=NONE", "--adminpass=" + ADMIN_PASSWORD, "--host-ip=127.0.0.1",
        "--option=interfaces=127.0.0.1/8", "--option=bind interfaces only=yes");
    for (String name : List.of("alice", "bob", "carol", "dave", "dave2", "locked", "fresh")) {
      tool("user", "create", name, PASSWORD, "--mail-address=" + name + "@corp.example", "-H", sam(), "-s", settings());
    }
    tool("user", "disable", "locked", "-H", sam(), "-s", settings());
    tool("user", "setpassword", "fresh", "--newpassword=" + PASSWORD, "--must-change-at-next-login", "-H", sam(), "-s",
        settings());
    // Passwords may be changed at once.
    tool("domain", "passwordsettings", "set", "--min-pwd-age=0", "--history-length=0", "-H", sam(), "-s", settings());
    Path key = home.resolve("key.pem");
    Path certificate = home.resolve("ca.pem");
    run("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key.toString(), "-out", certificate.toString(),
        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost");
    samba = launch(key, certificate);
    config = config(certificate, "CORP\\Administrator", ADMIN_PASSWORD);
  }

  private static void requireInstalled() {
    boolean installed =
        Files.isExecutable(Path.of("/usr/sbin/samba"))
            && Files.isDirectory(Path.of("/usr/share/samba/setup/ad-schema"))
            && Files.exists(Path.of("/usr/lib/x86_64-linux-gnu/samba/vfs/acl_xattr.so"));
    String remedy = "apt-get install samba samba-ad-provision samba-vfs-modules samba-dsdb-modules";
    if (!installed && "true".equals(System.getenv("CI"))) {
      Assertions.fail("samba's domain controller is not installed: " + remedy);
    }
    assumeTrue(installed, "skipped: samba's domain controller is not installed (" + remedy + ")");
    assumeTrue("root".equals(System.getProperty("user.name")), "skipped: samba's domain controller needs root");
    assumeTrue(!listens(), "skipped: port 636 is in use");
  }

  private static Process launch(Path key, Path certificate) throws Exception {
    Process process =
        new ProcessBuilder(
                "/usr/sbin/samba", "-i", "-M", "single", "-s", settings(), "--option=server services=ldap",
                "--option=interfaces=127.0.0.1/8", "--option=bind interfaces only=yes", "--option=tls keyfile=" + key,
                "--option=tls certfile=" + certificate, "--option=tls cafile=", "--debug-stdout")
            .redirectErrorStream(true)
            .redirectOutput(home.resolve("samba.log").toFile())
            .start();
    long end = System.nanoTime() + START.toNanos();
    while (!listens()) {
      if (!process.isAlive() || System.nanoTime() > end) {
        process.destroyForcibly();
        throw new IllegalStateException("samba did not start: " + Files.readString(home.resolve("samba.log")));
      }
      Thread.sleep(100);
    }
    return process;
  }

  private static boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), LDAPS), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static String settings() {
    return home.resolve("d/etc/smb.conf").toString();
  }

  private static String sam() {
    return home.resolve("d/private/sam.ldb").toString();
  }

  private static void tool(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("samba-tool"));
    command.addAll(Arrays.asList(arguments));
    run(command.toArray(String[]::new));
  }

  private static void run(String... command) throws Exception {
    Path log = home.resolve("tool.log");
    Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    boolean ended = process.waitFor(START.toSeconds(), TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended && process.exitValue() == 0).as(() -> read(log)).isTrue();
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static DirectoryConfig config(Path trust, String bindDn, String bindPassword) {
    return new DirectoryConfig(
        List.of(new Server("localhost", LDAPS)), Security.LDAPS, Optional.of(trust), Optional.of(bindDn),
        Optional.of(new Secret(bindPassword)), new DirectoryConfig.People(BASE, "(&(objectClass=user)(sAMAccountName={name}))", "objectGUID",
        "sAMAccountName", Map.of("mail", "mail")), new GroupConfig(BASE, "(member={dn})", "cn", Map.of()), new DirectoryConfig.Pool(4,
        Duration.ofSeconds(20), Duration.ofSeconds(20)));
  }

  private static DirectoryConfig byMemberOf() {
    GroupConfig searched = config.groups();
    GroupConfig named =
        new GroupConfig(
            searched.baseDn(), searched.filter(), searched.nameAttribute(), searched.roles(), searched.most(), Optional.of("memberOf"));
    return new DirectoryConfig(
        config.servers(), config.security(), config.trust(), config.bindDn(), config.bindPassword(), config.people(), named, config.pool());
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (samba != null) {
      samba.destroy();
      if (!samba.waitFor(20, TimeUnit.SECONDS)) {
        samba.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void peopleLogInAndAreFoundAgainByTheirObjectGuid() {
    try (LdapDirectory directory = new LdapDirectory(config)) {
      Person alice = ((Accepted) directory.authenticate("ALICE", Password.of(PASSWORD))).person();
      assertThat(alice.id().value()).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
      assertThat(alice.name()).isEqualTo("alice");
      assertThat(directory.owners(List.of("alice", "nobody")))
          .containsEntry("alice", new NameOwner.One(alice.id()))
          .containsEntry("nobody", new NameOwner.None());
      try (LdapDirectory fresh = new LdapDirectory(config)) {
        assertThat(fresh.find(alice.id()).orElseThrow()).isEqualTo(alice);
        assertThat(fresh.find(new PersonId("alice"))).isEmpty();
        assertThat(fresh.findBy("mail", "Alice@corp.example")).isEqualTo(new PersonSearch.One(alice));
        assertThat(fresh.findBy("mail", "alice\uff20corp.example")).isEqualTo(new PersonSearch.None());
      }
    }
  }

  /** The register of people who may have tokens knows them by objectGUID, whatever becomes of name and place. */
  @Test
  void thePeopleOfADomainAreReadForTheRegister() throws Exception {
    tool("group", "add", "staff", "-H", sam(), "-s", settings());
    tool("group", "addmembers", "staff", "carol,locked", "-H", sam(), "-s", settings());
    Query users =
        new Query(Optional.of("CN=Users," + BASE), Optional.of("(objectCategory=person)"), "displayName", "mail", Optional.of("memberOf"));
    Query staff = new Query(users.base(), Optional.of("(memberOf=CN=staff,CN=Users," + BASE + ")"), "cn", "mail", Optional.empty());
    try (LdapDirectory directory = new LdapDirectory(config)) {
      Map<String, Entry> byName = people(directory, users);
      assertThat(byName).containsKeys("alice", "carol", "locked", "Administrator");
      Entry carol = Objects.requireNonNull(byName.get("carol"));
      PersonId id = carol.id().orElseThrow();
      assertThat(id.value()).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
      assertThat(directory.find(id).orElseThrow().name()).isEqualTo("carol");
      assertThat(carol.mail()).contains("carol@corp.example");
      assertThat(carol.groups()).containsExactly("staff");
      assertThat(carol.isDisabled()).isFalse();
      Entry locked = Objects.requireNonNull(byName.get("locked"));
      assertThat(locked.isDisabled()).isTrue();
      assertThat(people(directory, staff)).containsOnlyKeys("carol", "locked");
      try (LdapDirectory named = new LdapDirectory(byMemberOf())) {
        assertThat(named.find(id).orElseThrow().groups()).containsExactly("staff");
      }

      PersonId alice = Objects.requireNonNull(byName.get("alice")).id().orElseThrow();
      PersonId nobody = new PersonId("00000000-0000-0000-0000-000000000000");
      List<PersonId> asked = List.of(id, alice, locked.id().orElseThrow(), nobody, new PersonId("no guid"));
      assertThat(directory.present(staff, asked)).containsExactlyInAnyOrder(id, locked.id().orElseThrow());
      assertThat(directory.existing(asked)).containsExactlyInAnyOrder(id, alice, locked.id().orElseThrow());

      tool("ou", "add", "OU=Moved", "-H", sam(), "-s", settings());
      tool("user", "move", "alice", "OU=Moved", "-H", sam(), "-s", settings());
      assertThat(directory.present(users, List.of(alice))).as("moved out of the base of the register").isEmpty();
      assertThat(directory.existing(List.of(alice))).as("and not gone").containsExactly(alice);
      tool("user", "delete", "dave2", "-H", sam(), "-s", settings());
      assertThat(directory.existing(List.of(Objects.requireNonNull(byName.get("dave2")).id().orElseThrow()))).as("deleted").isEmpty();
    }
  }

  private static Map<String, Entry> people(LdapDirectory directory, Query query) {
    Outcome outcome = directory.people(query, read -> {});
    assertThat(outcome).isInstanceOf(Outcome.All.class);
    Map<String, Entry> byName = new TreeMap<>();
    ((Outcome.All) outcome).entries().forEach(entry -> byName.put(entry.name().orElseThrow(), entry));
    return byName;
  }

  @Test
  void refusalsSayWhy() {
    try (LdapDirectory directory = new LdapDirectory(config)) {
      assertThat(directory.authenticate("alice", Password.of("wrong")))
          .isEqualTo(new Refused(RefusedReason.WRONG_PASSWORD));
      assertThat(directory.authenticate("nobody", Password.of("wrong"))).isEqualTo(new Refused(RefusedReason.UNKNOWN_NAME));
      assertThat(directory.authenticate("\uff41lice", Password.of(PASSWORD)))
          .isEqualTo(new Refused(RefusedReason.UNKNOWN_NAME));
      assertThat(directory.authenticate("locked", Password.of(PASSWORD))).isEqualTo(new Refused(RefusedReason.DISABLED));
    }
  }

  @Test
  void passwordsAreChangedAlsoByThoseWhoMust() {
    try (LdapDirectory directory = new LdapDirectory(config)) {
      assertThat(directory.changePassword("bob", Password.of("wrong"), Password.of("Next-12345")))
          .isInstanceOf(PasswordChange.Refused.class);
      assertThat(directory.changePassword("bob", Password.of(PASSWORD), Password.of("x")))
          .isInstanceOf(PasswordChange.NotGoodEnough.class);
      assertThat(directory.changePassword("bob", Password.of(PASSWORD), Password.of("N\u00e4chstes-1")))
          .isInstanceOf(PasswordChange.Changed.class);
      assertThat(directory.authenticate("bob", Password.of("N\u00e4chstes-1"))).isInstanceOf(Accepted.class);

      assertThat(directory.authenticate("fresh", Password.of(PASSWORD))).isInstanceOf(MustChangePassword.class);
      assertThat(directory.changePassword("fresh", Password.of(PASSWORD), Password.of("Next-12345")))
          .isInstanceOf(PasswordChange.Changed.class);
      assertThat(directory.authenticate("fresh", Password.of("Next-12345"))).isInstanceOf(Accepted.class);
    }
  }

  /** As people who forgot theirs do by a link in a mail: the service account sets it. */
  @Test
  void passwordsAreResetByAnAccountThatMay() {
    try (LdapDirectory directory = new LdapDirectory(config)) {
      PersonId carol = ((Accepted) directory.authenticate("carol", Password.of(PASSWORD))).person().id();
      assertThat(directory.resetPassword(carol, Password.of("x"))).isInstanceOf(PasswordChange.NotGoodEnough.class);
      try (LdapDirectory powerless = new LdapDirectory(config(config.trust().orElseThrow(), "CORP\\dave", PASSWORD))) {
        assertThat(powerless.resetPassword(carol, Password.of("St\u00e4rker-1")))
            .isEqualTo(new PasswordChange.NotGoodEnough(PasswordChange.Fault.NOT_ALLOWED, ""));
      }
      assertThat(directory.authenticate("carol", Password.of(PASSWORD))).as("nothing changed").isInstanceOf(Accepted.class);
      assertThat(directory.resetPassword(carol, Password.of("St\u00e4rker-1"))).isInstanceOf(PasswordChange.Changed.class);
      assertThat(directory.authenticate("carol", Password.of("St\u00e4rker-1"))).isInstanceOf(Accepted.class);
      assertThat(directory.authenticate("carol", Password.of(PASSWORD))).isInstanceOf(Refused.class);
      assertThat(directory.resetPassword(new PersonId("00000000-0000-0000-0000-000000000000"), Password.of("St\u00e4rker-1")))
          .isInstanceOf(PasswordChange.Refused.class);
    }
  }
}
