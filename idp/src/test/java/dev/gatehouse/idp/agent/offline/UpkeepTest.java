package dev.gatehouse.idp.agent.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.idp.agent.offline.HeldDays.Codes;
import dev.gatehouse.idp.agent.offline.HeldDays.Tries;
import dev.gatehouse.idp.agent.server.AgentKey;
import dev.gatehouse.idp.agent.server.Asked;
import dev.gatehouse.idp.agent.server.Attempts;
import dev.gatehouse.idp.agent.server.FaultServer;
import dev.gatehouse.idp.agent.server.RealmAnswer;
import dev.gatehouse.idp.agent.server.RealmEpoch;
import dev.gatehouse.idp.agent.server.RealmServers;
import dev.gatehouse.idp.agent.server.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent asks servers about people it holds: in which order, how much at once, and when it stops. */
final class UpkeepTest {

  private static final Instant NOW = Instant.parse("2026-11-27T10:00:00Z");
  private static final Duration LONG = Duration.ofSeconds(10);

  @TempDir private Path folder;

  private FaultServer server;
  private RealmServers servers;
  private HeldFiles files;
  private Upkeep upkeep;

  @BeforeEach
  void open() throws Exception {
    server = FaultServer.start();
    KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
    keys.initialize(new ECGenParameterSpec("secp256r1"));
    AgentKey key = new AgentKey("host", keys.generateKeyPair().getPrivate(), List.of(), "https://login.example.org");
    servers =
        new RealmServers(
            new ServerSettings(
                FaultServer.ADDRESS, List.of(server.address()), true, key, List.of(),
                new ServerSettings.Times(LONG, LONG, LONG.multipliedBy(2), LONG)),
            RealmEpoch.inMemory(0), InstantSource.system(), new SecureRandom());
    servers.start();
    reopen();
    answer(NOW);
  }

  private void reopen() throws Exception {
    MachineKey key = MachineKey.open(new OfflineSettings(folder, false), "host", new SecureRandom());
    files = HeldFiles.open(folder, key);
    upkeep = new Upkeep(servers, files, InstantSource.fixed(NOW), false);
  }

  @AfterEach
  void close() {
    servers.close();
    server.close();
    files.close();
  }

  private void answer(Instant now) {
    server.answers(200, "{\"result\":\"days\",\"now\":" + now.getEpochSecond() + "}");
  }

  private void hold(String name, int uses) {
    Codes codes = new Codes("t-" + name, 6, 30, 0, new byte[16], 0, new byte[4]);
    List<String> all = IntStream.range(0, uses).mapToObj(i -> name + i).toList();
    files.keep(new HeldDays(name, "ticket-" + name, codes, NOW.plus(Duration.ofDays(1)).getEpochSecond(), new Tries(0, 2, 2, all)));
  }

  private void round() throws InterruptedException {
    server.kept.clear();
    upkeep.round();
  }

  @Test
  void everybodyIsAskedAboutAfterAStartAndNobodyTwice() throws Exception {
    List.of("a", "b", "c").forEach(name -> hold(name, 0));
    round();
    assertThat(server.kept).containsExactlyInAnyOrder("days ticket-a", "days ticket-b", "days ticket-c");
    assertThat(files.find("a").orElseThrow().tries().wrongInRow()).as("a server was reached").isZero();
    round();
    assertThat(server.kept).isEmpty();
    upkeep.servers(false);
    round();
    assertThat(server.kept).as("after an outage").hasSize(3);
  }

  @Test
  void itStopsAtAServerThatHasEnoughAndGoesOnWithTheOthers() throws Exception {
    List.of("a", "b", "c").forEach(name -> hold(name, 0));
    server.answers(429, "{\"error\":\"temporarily_unavailable\"}");
    round();
    assertThat(server.kept).hasSize(1);
    answer(NOW);
    round();
    assertThat(server.kept).hasSize(3);
  }

  @Test
  void manyUsesAreReportedInParts() {
    hold("a", 450);
    assertThat(upkeep.report("a")).isTrue();
    assertThat(server.kept).containsExactly("uses ticket-a", "uses ticket-a", "uses ticket-a", "days ticket-a");
    assertThat(server.uses).hasSize(450).doesNotHaveDuplicates();
    assertThat(files.find("a").orElseThrow().tries().uses()).isEmpty();
  }

  @Test
  void aReportThatIsNotTakenKeepsUsesAndCounts() {
    hold("a", 1);
    server.answers(400, "{\"error\":\"invalid_request\"}");
    upkeep.report("a");
    assertThat(server.kept).as("whether the days count is asked all the same").containsExactly("uses ticket-a", "days ticket-a");
    assertThat(files.find("a").orElseThrow().tries()).isEqualTo(new Tries(0, 2, 2, List.of("a0")));
  }

  @Test
  void aClockThatDiffersFromTheServersIsNotRight() {
    hold("a", 0);
    answer(NOW.plusSeconds(90));
    upkeep.report("a");
    assertThat(files.state().latest()).isEqualTo(NOW.getEpochSecond());
    answer(NOW.plusSeconds(300));
    upkeep.report("a");
    assertThat(files.state().latest()).isEqualTo(HeldState.NEVER);
    server.answers(200, "{\"result\":\"days\"}");
    upkeep.report("a");
    assertThat(files.state().latest()).as("a server that does not say").isEqualTo(HeldState.NEVER);
  }

  @Test
  void whatHasEndedIsGone() throws Exception {
    hold("a", 0);
    server.answers(200, "{\"result\":\"ended\",\"now\":" + NOW.getEpochSecond() + "}");
    upkeep.report("a");
    assertThat(files.holds("a")).isFalse();
    files.close();
    reopen();
    assertThat(files.all()).isEmpty();
  }

  @Test
  void afterTwentyWrongOnesForWhomeverNobodyIsLetIn() throws Exception {
    hold("a", 0);
    HeldState state = HeldState.NOTHING.known(true).at(NOW.getEpochSecond());
    for (int i = 0; i < 19; i++) {
      state = state.plusWrong(NOW.getEpochSecond());
    }
    files.keep(state);
    files.close();
    server.close();
    Asked guess = new Asked("a", "99999999123456", Optional.empty(), "");
    try (OfflinePasscodes passcodes =
        OfflinePasscodes.open(
            new OfflineSettings(folder, false), "host", servers, new Attempts(), InstantSource.fixed(NOW), new SecureRandom())) {
      assertThat(passcodes.ask(guess)).isEqualTo(new RealmAnswer.Rejected());
      assertThat(passcodes.ask(guess)).isEqualTo(new RealmAnswer.Rejected());
    }
    reopen();
    assertThat(files.find("a").orElseThrow().tries().wrong()).as("the second one was not tried").isEqualTo(3);
  }

  @Test
  void anAgentKnowsItselfAfterAStart() throws Exception {
    assertThat(files.state()).isEqualTo(HeldState.NOTHING);
    long now = NOW.getEpochSecond();
    HeldState state = HeldState.NOTHING.known(true).at(now).plusWrong(now).plusWrong(now);
    files.keep(state);
    hold("Bob", 1);
    files.close();
    reopen();
    assertThat(files.state()).isEqualTo(state);
    assertThat(files.state().wrongAt(NOW.getEpochSecond())).isEqualTo(2);
    assertThat(files.state().wrongAt(NOW.plus(Duration.ofHours(1)).getEpochSecond())).isZero();
    assertThat(files.all()).containsExactly(new HeldFiles.Line("Bob", NOW.plus(Duration.ofDays(1)).getEpochSecond(), 1));
    Files.write(folder.resolve("clock"), new byte[40]);
    files.close();
    reopen();
    assertThat(files.state()).as("what is not its own counts nothing").isEqualTo(HeldState.NOTHING);
  }
}
