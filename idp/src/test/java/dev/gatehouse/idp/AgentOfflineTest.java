package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.idp.agent.Agent;
import dev.gatehouse.idp.agent.offline.OfflinePasscodes;
import dev.gatehouse.idp.agent.offline.OfflineSettings;
import dev.gatehouse.idp.agent.offline.SwTpm;
import dev.gatehouse.idp.agent.server.AgentKey;
import dev.gatehouse.idp.agent.server.Asked;
import dev.gatehouse.idp.agent.server.Attempts;
import dev.gatehouse.idp.agent.server.FaultServer;
import dev.gatehouse.idp.agent.server.RealmAnswer;
import dev.gatehouse.idp.agent.server.RealmEpoch;
import dev.gatehouse.idp.agent.server.RealmServers;
import dev.gatehouse.idp.agent.server.ServerSettings;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Days without a server: who is let in, what is reported, and what thieves and clocks get out of it. */
final class AgentOfflineTest {

  private static final String PIN = "24681357";

  @TempDir private static Path folder;

  private static Optional<AgentWorld> started = Optional.empty();

  private Path days = folder;
  private int before;
  private Optional<Agent> agent = Optional.empty();

  @BeforeAll
  static void start() throws Exception {
    started = Optional.of(new AgentWorld(folder));
  }

  @AfterAll
  static void stop() {
    started.ifPresent(AgentWorld::close);
  }

  private static AgentWorld world() {
    return started.orElseThrow();
  }

  @BeforeEach
  void open() throws Exception {
    before = recorded();
    days = Files.createTempDirectory(folder, "days");
    world().giveToken(PIN);
  }

  @AfterEach
  void close() throws IOException {
    shut();
    world().takeToken();
  }

  private void shut() throws IOException {
    if (agent.isPresent()) {
      agent.get().close();
    }
    agent = Optional.empty();
  }

  private void run(String id, String server) throws Exception {
    shut();
    agent = Optional.of(world().agent(id, server, "offline: {folder: " + days + ", key: file}\nmetrics: {port: 0}"));
  }

  private void online() throws Exception {
    run("host", world().server());
  }

  private void offline() throws Exception {
    run("host", AgentWorld.nobody());
  }

  private String ask(String id, String passcode) throws IOException {
    return ask(id, "alice", passcode);
  }

  private String as(String name, String passcode) throws IOException {
    return ask("host", name, passcode);
  }

  private String ask(String id, String name, String passcode) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(folder.resolve(id + ".socket")));
      channel.write(ByteBuffer.wrap(("name " + name + "\npasscode " + passcode + "\n\n").getBytes(StandardCharsets.UTF_8)));
      ByteBuffer answer = ByteBuffer.allocate(4096);
      while (channel.read(answer) >= 0) {
        // Until the agent ends the connection.
      }
      return new String(answer.array(), 0, answer.position(), StandardCharsets.UTF_8).lines().findFirst().orElse("");
    }
  }

  private String ask(String passcode) throws IOException {
    return ask("host", passcode);
  }

  private static String passcode(int steps) {
    return PIN + world().code(steps);
  }

  private List<Path> held() throws IOException {
    try (Stream<Path> files = Files.list(days)) {
      return files.filter(file -> file.toString().endsWith(".days")).toList();
    }
  }

  /** Logs in, waits until the days are there, and goes to the next code. */
  private void logInOnce() throws Exception {
    online();
    assertThat(ask(passcode(0))).isEqualTo("result accept");
    Eventually.holds(() -> !held().isEmpty() && Files.exists(days.resolve("clock")));
    world().idp.time.advance(Duration.ofSeconds(60));
  }

  private static int recorded() {
    return world().idp.audit.events(AuditEvent.PasscodeDecided.class).size();
  }

  private List<String> reported() {
    return world().idp.audit.events(AuditEvent.PasscodeDecided.class).stream()
        .skip(before)
        .filter(e -> e.outcome().equals("offline"))
        .map(e -> e.by() + " " + e.detail().replaceAll(" at .*", ""))
        .toList();
  }

  @Test
  void peopleAreLetInWithoutAServerAndItIsReported() throws Exception {
    logInOnce();
    offline();
    String passcode = passcode(0);
    assertThat(ask(passcode)).isEqualTo("result accept");
    assertThat(ask(passcode)).as("the same code").isEqualTo("result reject");
    assertThat(ask("13572468" + world().code(1))).as("another PIN").isEqualTo("result reject");
    assertThat(ask(world().code(1))).as("no PIN").isEqualTo("result reject");
    world().idp.time.advance(Duration.ofDays(2));
    String later = passcode(0);
    assertThat(ask(later)).isEqualTo("result accept");
    online();
    Eventually.holds(() -> reported().size() == 5);
    assertThat(reported())
        .containsExactly(
            "agent:host accepted t-host", "agent:host refused WRONG_PASSCODE", "agent:host refused WRONG_PASSCODE",
            "agent:host refused WRONG_PASSCODE", "agent:host accepted t-host");
    assertThat(ask(later)).as("used up at the realm, too").isEqualTo("result reject");
  }

  private String metrics() throws IOException {
    int port = agent.orElseThrow().metricsPort().orElseThrow();
    return new String(URI.create("http://127.0.0.1:" + port + "/metrics").toURL().openStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void figuresSayWhoDecidedAndWhatWaits() throws Exception {
    logInOnce();
    assertThat(metrics())
        .contains("gatehouse_agent_attempts_total{by=\"server\",result=\"accepted\",reason=\"\"} 1\n")
        .contains("gatehouse_agent_server_up{server=\"" + world().server() + "\"} 1\n")
        .containsPattern("gatehouse_agent_server_probe_seconds\\{server=\"[^\"]+\"} 0\\.\\d+\n")
        .containsPattern("gatehouse_agent_server_request_seconds\\{server=\"[^\"]+\"} \\d+\\.\\d+\n")
        .contains("gatehouse_agent_held_people 1\n").contains("gatehouse_agent_uploads_waiting 0\n").contains("gatehouse_agent_known 1\n");
    offline();
    assertThat(ask(passcode(0))).isEqualTo("result accept");
    assertThat(ask(PIN + "000000")).isEqualTo("result reject");
    assertThat(as("nobody", passcode(1))).isEqualTo("result unavailable");
    assertThat(metrics())
        .contains("by=\"agent\",result=\"accepted\",reason=\"\"} 1\n")
        .contains("by=\"agent\",result=\"refused\",reason=\"wrong_passcode\"} 1\n")
        .contains("by=\"agent\",result=\"unavailable\",reason=\"no_days\"} 1\n")
        .contains("by=\"agent\",result=\"unavailable\",reason=\"no_server\"} 0\n")
        .contains("gatehouse_agent_uploads_waiting 2\n")
        .containsPattern("gatehouse_agent_server_up\\{server=\"[^\"]+\"} 0\n")
        .containsPattern("gatehouse_agent_held_days 2\\.9\\d+\n")
        .doesNotContain("alice").doesNotContain("t-host");
    online();
    Eventually.holds(() -> metrics().contains("gatehouse_agent_uploads_waiting 0\n"));
  }

  @Test
  void daysEndByTheClock() throws Exception {
    logInOnce();
    offline();
    world().idp.time.advance(Duration.ofDays(3));
    assertThat(ask(passcode(0))).isEqualTo("result unavailable");
  }

  @Test
  void aClockThatWasSetBackIsNoticed() throws Exception {
    logInOnce();
    offline();
    assertThat(ask(passcode(0))).isEqualTo("result accept");
    world().idp.time.advance(Duration.ofMinutes(-10));
    assertThat(ask(passcode(0))).isEqualTo("result unavailable");
    world().idp.time.advance(Duration.ofMinutes(20));
    shut();
    Files.delete(days.resolve("clock"));
    offline();
    assertThat(ask(passcode(0))).as("without the record of it").isEqualTo("result unavailable");
  }

  @Test
  void wrongPasscodesAreLimited() throws Exception {
    logInOnce();
    offline();
    for (int i = 0; i < 5; i++) {
      assertThat(ask("9999999" + i + world().code(0))).isEqualTo("result reject");
    }
    assertThat(ask(passcode(0))).as("the right one").isEqualTo("result reject");
  }

  @Test
  void whatWasCopiedIsWorthNothingToAnotherMachineOrAgent() throws Exception {
    logInOnce();
    Path copied = Files.createTempDirectory(folder, "copied");
    for (Path file : List.of(held().getFirst(), days.resolve("clock"))) {
      Files.copy(file, copied.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    Path own = days;
    days = copied;
    offline();
    assertThat(ask(passcode(0))).as("another machine's key").isEqualTo("result unavailable");
    days = own;
    run("other", AgentWorld.nobody());
    assertThat(ask("other", passcode(0))).as("another agent with this machine's key").isEqualTo("result unavailable");
  }

  @Test
  void aTokenThatWasReportedLostEndsTheDaysAtTheNextContact() throws Exception {
    logInOnce();
    offline();
    assertThat(ask(passcode(0))).isEqualTo("result accept");
    Idp.TOKENS.change("demo", "t-host", Token.State.LOST);
    world().idp.time.advance(Duration.ofSeconds(60));
    assertThat(ask(passcode(0))).as("nobody can know yet").isEqualTo("result accept");
    online();
    Eventually.holds(() -> held().isEmpty());
    assertThat(reported()).endsWith("agent:host accepted t-host, but the code was used elsewhere, or the token had ended");
    offline();
    world().idp.time.advance(Duration.ofSeconds(60));
    assertThat(ask(passcode(0))).isEqualTo("result unavailable");
  }

  @Test
  void whatAServerTookCountsHereNoMore() throws Exception {
    logInOnce();
    online();
    String passcode = passcode(0);
    assertThat(ask(passcode)).isEqualTo("result accept");
    offline();
    assertThat(ask(passcode)).as("the code that a server took").isEqualTo("result reject");
    world().idp.time.advance(Duration.ofSeconds(60));
    assertThat(ask(passcode(0))).isEqualTo("result accept");
  }

  @Test
  void aRefusalOfAServerEndsWhatHasEnded() throws Exception {
    logInOnce();
    online();
    Eventually.holds(() -> !held().isEmpty());
    Idp.TOKENS.change("demo", "t-host", Token.State.LOST);
    assertThat(ask(passcode(0))).isEqualTo("result reject");
    Eventually.holds(() -> held().isEmpty());
  }

  @Test
  void anotherSpellingOfANameIsAnotherName() throws Exception {
    logInOnce();
    offline();
    assertThat(as("Alice", passcode(0))).isEqualTo("result unavailable");
    assertThat(ask(passcode(0))).isEqualTo("result accept");
  }

  @Test
  void whoeverWasTurnedAwayDecidesNothingAloneAfterwards() throws Exception {
    logInOnce();
    shut();
    KeyPairGenerator keys = KeyPairGenerator.getInstance("EC");
    keys.initialize(new ECGenParameterSpec("secp256r1"));
    Duration long10 = Duration.ofSeconds(10);
    try (FaultServer server = FaultServer.start();
        RealmServers servers =
            new RealmServers(
                new ServerSettings(
                    FaultServer.ADDRESS, List.of(server.address()), true,
                    new AgentKey("host", keys.generateKeyPair().getPrivate(), List.of(), "https://login.example.org"), List.of(),
                    new ServerSettings.Times(long10, long10, long10.multipliedBy(2), long10)),
                RealmEpoch.inMemory(0), world().idp.time, new SecureRandom());
        OfflinePasscodes passcodes = OfflinePasscodes.open(new OfflineSettings(days, false), "host", servers, new Attempts(), world().idp.time,
            new SecureRandom())) {
      servers.start();
      server.answers(401, "{\"error\":\"invalid_client\"}");
      Asked asked = new Asked("alice", passcode(0), Optional.empty(), "");
      assertThat(passcodes.ask(asked)).isEqualTo(new RealmAnswer.Unavailable(true));
      server.close();
      assertThat(passcodes.ask(asked)).as("the cable is pulled").isEqualTo(new RealmAnswer.Unavailable(false));
    }
    offline();
    assertThat(ask(passcode(0))).as("after a restart").isEqualTo("result unavailable");
    logInOnce();
    offline();
    assertThat(ask(passcode(0))).as("the realm knows it again").isEqualTo("result accept");
  }

  @Test
  void oneAgentAtATimeHasTheFolder() throws Exception {
    online();
    assertThatThrownBy(() -> world().agent("other", AgentWorld.nobody(), "offline: {folder: " + days + ", key: file}\nmetrics: {port: 0}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("another agent has it open");
  }

  /** Decision 487: with a TPM, PINs of four digits are enough, because the disk alone is worth nothing. */
  @Test
  void aKeyInATpmLetsPeopleInWithoutAServerAndTheDiskAloneDoesNot() throws Exception {
    SwTpm.requireInstalled();
    world().takeToken();
    world().giveToken("2468");
    String tpm = "offline: {folder: " + days + ", key: tpm}\nmetrics: {port: 0}";
    try (SwTpm own = SwTpm.start(folder.resolve("tpm"))) {
      agent = Optional.of(world().agent("host", world().server(), tpm, own.environment()));
      assertThat(ask("2468" + world().code(0))).isEqualTo("result accept");
      Eventually.holds(() -> !held().isEmpty() && Files.exists(days.resolve("clock")));
      world().idp.time.advance(Duration.ofSeconds(60));
      assertThat(days.resolve("machine.key")).doesNotExist();
      shut();
      agent = Optional.of(world().agent("host", AgentWorld.nobody(), tpm, own.environment()));
      assertThat(ask("2468" + world().code(0))).as("after a start, without a server").isEqualTo("result accept");
      assertThat(ask("1357" + world().code(1))).isEqualTo("result reject");
      shut();
    }
    try (SwTpm thiefs = SwTpm.start(folder.resolve("another-tpm"))) {
      assertThatThrownBy(() -> world().agent("host", AgentWorld.nobody(), tpm, thiefs.environment()))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the TPM did not do tpm2_load");
    }
  }

  @Test
  void aShortPinIsNotKeptBesideItsKey() throws Exception {
    world().takeToken();
    world().giveToken("2468");
    online();
    assertThat(ask("2468" + world().code(0))).isEqualTo("result accept");
    Thread.sleep(1000);
    offline();
    assertThat(held()).isEmpty();
    world().idp.time.advance(Duration.ofSeconds(60));
    assertThat(ask("2468" + world().code(0))).isEqualTo("result unavailable");
  }
}
