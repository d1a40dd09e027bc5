package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.JavaProcess;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.JdbcNamePairs;
import dev.gatehouse.common.directory.NamePair;
import dev.gatehouse.common.directory.NamePairs;
import dev.gatehouse.common.directory.NamePairs.Kind;
import dev.gatehouse.common.directory.Slapd;
import dev.gatehouse.common.directory.TestPeople;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.installation.DataLock;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.gateway.demo.DemoConfiguration;
import dev.gatehouse.gateway.demo.DemoPorts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code federate bulk} as it is called, with a real slapd. */
@Timeout(300)
class BulkCommandTest {

  private static final int PEOPLE = 1700;
  private static Slapd slapd;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final DemoPorts ports = ports();
  private final String sp = "http://app.localhost:" + ports.appHttp() + "/.gatehouse/saml/metadata";
  private final String idp = "http://idp.localhost:" + ports.idpHttp() + "/realms/demo";

  @TempDir private Path folder;
  private Path config;

  @BeforeAll
  static void people() {
    StringBuilder ldif = new StringBuilder(TestPeople.LDIF);
    for (int i = 0; i < PEOPLE; i++) {
      ldif.append(TestPeople.person("uid=user" + i, "user" + i, "User " + i, ""));
    }
    slapd = Slapd.start(Slapd.FEDERATION, ldif.toString());
  }

  @AfterAll
  static void stop() {
    slapd.close();
  }

  private static DemoPorts ports() {
    List<Integer> free = FreePorts.take(7);
    return new DemoPorts(
        free.get(0), free.get(1), free.get(2), free.get(3), free.get(4), free.get(5), slapd.port(), free.get(6));
  }

  /** The demo's realm: both ends, each the other's partner. */
  @BeforeEach
  void configure() throws IOException {
    config = folder.resolve("config");
    new DemoConfiguration(config).write(ports);
    Path node = config.resolve("gatehouse.yaml");
    Files.writeString(node, Files.readString(node).replaceAll("(?m)^    - .*certificate: .*\n", ""));
    Path realm = config.resolve("realms/demo.yaml");
    Files.writeString(
        realm,
        Files.readString(realm)
            .replace(
                "  base: dc=example,dc=org\n",
                "  base: dc=example,dc=org\n  bindDn: " + TestPeople.SERVICE + "\n  bindPassword: "
                    + TestPeople.SERVICE_PASSWORD + "\n")
            .replaceAll("(?m)^  otherOrigins: .*\n", ""));
  }

  private void inDirectory() throws IOException {
    Path realm = config.resolve("realms/demo.yaml");
    Files.writeString(realm, Files.readString(realm) + "\nfederation: {store: directory}\n");
  }

  private int run(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("federate", "bulk", "--config", config.toString(), "--realm", "demo"));
    arguments.addAll(List.of(more));
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Launcher.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments.toArray(String[]::new));
  }

  /** user0 to user(n-1) under names of their own at the other end, which is the same directory, in another order. */
  private Path pairs(int n) throws IOException {
    StringBuilder text = new StringBuilder("local,remote\n");
    for (int i = 0; i < n; i++) {
      text.append("user").append(i).append(",user").append((i + 7) % n).append('\n');
    }
    return Files.writeString(folder.resolve("pairs.csv"), text);
  }

  private static List<NamePair> all(NamePairs pairs, String partner) {
    List<NamePair> all = new ArrayList<>();
    List<NamePair> page = pairs.page("demo", partner, "", 1000);
    while (!page.isEmpty()) {
      all.addAll(page);
      page = pairs.page("demo", partner, page.getLast().name(), 1000);
    }
    return all;
  }

  private void assertFederated(int n) {
    try (Database database = Database.embedded(folder.resolve("data"))) {
      List<NamePair> names = all(new JdbcNamePairs(Kind.GIVEN, database, InstantSource.system()), sp);
      List<NamePair> links = all(new JdbcNamePairs(Kind.LINKED, database, InstantSource.system()), idp);
      assertThat(names).hasSize(n).extracting(NamePair::person).doesNotHaveDuplicates();
      assertThat(links).hasSize(n).extracting(NamePair::person).doesNotHaveDuplicates();
      assertThat(links).extracting(NamePair::name).isEqualTo(names.stream().map(NamePair::name).toList());
    }
  }

  @Test
  void bothEndsAtOnceWithoutANode() throws IOException {
    Path pairs = pairs(PEOPLE);
    assertThat(run("--sp", sp, "--idp", idp, "--file", pairs.toString())).isZero();
    assertThat(out.toString()).contains("1,701 lines: 1,700 federated, 0 federated before, 0 rejected.");
    assertThat(err.toString()).contains("No node is running", "100 %");
    assertFederated(PEOPLE);
    assertThat(run("--sp", sp, "--idp", idp, "--file", pairs.toString())).as("finished before").isZero();
    Files.delete(folder.resolve("pairs.csv.journal"));
    assertThat(run("--sp", sp, "--idp", idp, "--file", pairs.toString())).isZero();
    assertThat(out.toString()).contains("0 federated, 1,700 federated before");
    assertFederated(PEOPLE);
  }

  @Test
  void oneEndAfterTheOtherWithRejects() throws IOException {
    Path pairs =
        Files.writeString(
            folder.resolve("pairs.csv"),
            "alice,bob\nnobody,x\n*,x\n=cmd|' /C calc'!A0,x\nbob)(uid=*,x\ntwin,x\nbob,alice,given-by-file\nodd\n");
    Path names = folder.resolve("names.csv");
    assertThat(run("--sp", sp, "--file", pairs.toString(), "--out", names.toString())).isEqualTo(1);
    assertThat(out.toString()).contains("8 lines: 2 federated, 0 federated before, 6 rejected.", "For the other end:");
    assertThat(Files.readAllLines(names)).hasSize(2).last().isEqualTo("alice,given-by-file");
    assertThat(Files.readString(folder.resolve("pairs.csv.rejects.csv")))
        .contains("2,at the identity provider: nobody has that login name,\"nobody,x\"")
        .contains("4,at the identity provider: nobody has that login name,\"'=cmd|' /C calc'!A0,x\"")
        .contains("6,at the identity provider: several people have that login name,\"twin,x\"")
        .contains("8,not two or three columns,odd");
    assertThat(run("--idp", idp, "--file", names.toString())).isZero();
    assertThat(out.toString()).contains("2 lines: 2 federated");
    assertFederated(2);
  }

  @Test
  void byWayOfARunningNode() throws IOException {
    Path pairs = pairs(PEOPLE);
    try (RunningNode node = RunningNode.start(config, Map.of())) {
      assertThat(run("--sp", sp, "--idp", idp, "--file", pairs.toString())).isZero();
      assertThat(err.toString()).contains("Using the running node at http://127.0.0.1:" + ports.admin());
      assertThat(node.get(PersistentNameIds.class).page("demo", sp, "", 5)).hasSize(5);
      assertThat(node.get(AccountLinks.class).page("demo", idp, "", 5)).hasSize(5);
      assertThat(node.get(AdministratorKeys.class).list()).as("the command's own key is gone").isEmpty();
      Path wrong = Files.writeString(folder.resolve("key"), "gha_wrong\n");
      Files.delete(folder.resolve("pairs.csv.journal"));
      assertThat(run("--sp", sp, "--idp", idp, "--file", pairs.toString(), "--key-file", wrong.toString())).isEqualTo(1);
      assertThat(err.toString()).contains("This administrator key is not known here", "Repeat the command to continue where it stopped");
    }
    assertFederated(PEOPLE);
  }

  @Test
  void inTheDirectoryToo() throws IOException {
    inDirectory();
    Path pairs = pairs(300);
    assertThat(run("--sp", sp, "--idp", idp, "--file", pairs.toString())).isZero();
    assertThat(out.toString()).contains("300 federated");
    Files.delete(folder.resolve("pairs.csv.journal"));
    assertThat(run("--sp", sp, "--idp", idp, "--file", pairs.toString())).isZero();
    assertThat(out.toString()).contains("0 federated, 300 federated before");
  }

  /** Killed at a moment of chance after each batch, and given again until it is done. */
  @Test
  void survivesKills() throws Exception {
    Path pairs = pairs(PEOPLE);
    long seed = System.nanoTime();
    System.out.println("BulkCommandTest seed " + seed);
    Random random = new Random(seed);
    for (int batches = 1; batches < 3; batches++) {
      Process process = separately(pairs);
      while (process.isAlive() && journal() <= batches) {
        Thread.sleep(5);
      }
      process.waitFor(random.nextInt(100), TimeUnit.MILLISECONDS);
      process.destroyForcibly().waitFor();
    }
    assertThat(journal()).as("lines of the journal").isGreaterThan(1);
    assertThat(run("--sp", sp, "--idp", idp, "--file", pairs.toString())).as(err.toString()).isZero();
    assertFederated(PEOPLE);
  }

  private int journal() throws IOException {
    Path journal = folder.resolve("pairs.csv.journal");
    return Files.exists(journal) ? Files.readAllLines(journal).size() : 0;
  }

  private Process separately(Path pairs) throws IOException {
    return JavaProcess.of(
            Launcher.class, "federate", "bulk", "--config", config.toString(), "--realm", "demo", "--sp", sp, "--idp", idp, "--file",
            pairs.toString())
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("out.log").toFile())
        .start();
  }

  @Test
  void aLostDatabaseIsNotMadeAnew() throws IOException {
    RunningNode.start(config, Map.of()).close();
    Path lost = folder.resolve("data/h2/gatehouse.mv.db");
    Files.delete(lost);
    assertThat(run("--sp", sp, "--idp", idp, "--file", pairs(2).toString())).isEqualTo(1);
    assertThat(err.toString()).contains("gatehouse.mv.db is missing", "--accept-loss h2").doesNotContain("\tat ");
    assertThat(lost).doesNotExist();
  }

  @Test
  void aRunThatCannotOpenTheDatabaseLetsGoOfTheData() throws IOException {
    Path pairs = pairs(2);
    Path database = Files.createDirectories(folder.resolve("data/h2")).resolve("gatehouse.mv.db");
    Files.writeString(database, "not a database".repeat(1000));
    assertThat(run("--sp", sp, "--idp", idp, "--file", pairs.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("gatehouse.mv.db").doesNotContain("\tat ");
    assertThat(DataLock.holder(folder.resolve("data"))).isEmpty();
    Files.delete(database);
    assertThat(run("--sp", sp, "--idp", idp, "--file", pairs.toString())).as(err::toString).isZero();
    assertFederated(2);
  }

  @Test
  void saysWhatIsMissing() throws IOException {
    Path pairs = pairs(2);
    assertThat(run("--file", pairs.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("Give an end");
    assertThat(run("--sp", sp, "--file", pairs.toString())).isEqualTo(2);
    assertThat(err.toString()).contains("--out is required");
    assertThat(run("--idp", "https://nobody.example", "--file", pairs.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("has no partner https://nobody.example");
    assertThat(run("--idp", idp, "--file", folder.resolve("none").toString())).isEqualTo(1);
    assertThat(err.toString()).contains("There is no file");
  }
}
