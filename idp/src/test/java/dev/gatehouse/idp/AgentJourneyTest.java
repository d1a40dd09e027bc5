package dev.gatehouse.idp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.realm.TokenLogin.ChosenBy;
import dev.gatehouse.idp.agent.Agent;
import dev.gatehouse.idp.agent.server.RealmServers;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PAM of this machine asks an agent, and the agent a real identity provider: Debian's RADIUS module, and our helper at the socket. */
final class AgentJourneyTest {

  private static final Path HELPER = Path.of("..", "docker", "agent", "gatehouse-pam").toAbsolutePath().normalize();
  private static final String SERVICE = "gatehouse-test-" + ProcessHandle.current().pid();
  private static final Path SERVICE_FILE = Path.of("/etc/pam.d", SERVICE);

  @TempDir private static Path folder;

  private static Optional<AgentWorld> started = Optional.empty();

  private Optional<Agent> agent = Optional.empty();

  @BeforeAll
  static void start() throws Exception {
    started = Optional.of(new AgentWorld(folder));
  }

  @AfterAll
  static void stop() throws IOException {
    started.ifPresent(AgentWorld::close);
    Files.deleteIfExists(SERVICE_FILE);
  }

  private static AgentWorld world() {
    return started.orElseThrow();
  }

  @BeforeEach
  void open() throws Exception {
    world().giveToken("2468");
    agent = Optional.of(world().agent("host", world().server(), ""));
  }

  @AfterEach
  void close() throws IOException {
    if (agent.isPresent()) {
      agent.get().close();
    }
    world().takeToken();
  }

  private static void requireInstalled() {
    boolean isThere = Files.isExecutable(Path.of("/usr/bin/pamtester")) && Files.isWritable(Path.of("/etc/pam.d"));
    String remedy = "apt-get install pamtester libpam-radius-auth, as root";
    if (!isThere && "true".equals(System.getenv("CI"))) {
      Assertions.fail(remedy);
    }
    assumeTrue(isThere, "skipped: " + remedy);
  }

  private record Login(int status, String output) {}

  /** Logs in by PAM with what a person types, line by line. */
  private Login login(String module, String name, String... typed) throws Exception {
    Files.writeString(SERVICE_FILE, "auth required " + module + "\naccount required pam_permit.so\n");
    Process process = new ProcessBuilder("/usr/bin/pamtester", SERVICE, name, "authenticate").redirectErrorStream(true).start();
    try (var in = process.getOutputStream()) {
      in.write((String.join("\n", typed) + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // It has read enough.
    }
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Login(process.exitValue(), output);
  }

  /** Logs in by PAM like {@link #byRadius}; what comes second is known from what PAM says. */
  private Login byRadius(String name, String first, Pattern said, UnaryOperator<String> second) throws Exception {
    requireInstalled();
    Files.writeString(SERVICE_FILE, "auth required " + radius() + "\naccount required pam_permit.so\n");
    Process process = new ProcessBuilder("/usr/bin/pamtester", SERVICE, name, "authenticate").redirectErrorStream(true).start();
    StringBuilder output = new StringBuilder();
    try (var in = process.getOutputStream();
        var out = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
      in.write((first + "\n").getBytes(StandardCharsets.UTF_8));
      in.flush();
      boolean isAnswered = false;
      for (int next = out.read(); next >= 0; next = out.read()) {
        output.append((char) next);
        Matcher matcher = said.matcher(output);
        if (!isAnswered && matcher.find()) {
          isAnswered = true;
          in.write((second.apply(matcher.group(1)) + "\n").getBytes(StandardCharsets.UTF_8));
          in.flush();
        }
      }
    }
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Login(process.exitValue(), output.toString());
  }

  private Login byRadius(String name, String... typed) throws Exception {
    requireInstalled();
    return login(radius(), name, typed);
  }

  private String radius() throws IOException {
    Path conf = folder.resolve("pam_radius.conf");
    Files.writeString(conf, "127.0.0.1:" + agent.orElseThrow().radiusPort().orElseThrow() + " " + AgentWorld.SECRET + " 60\n");
    Files.setPosixFilePermissions(conf, PosixFilePermissions.fromString("rw-------"));
    return "pam_radius_auth.so conf=" + conf + " prompt=Passcode";
  }

  private Login bySocket(String name, String... typed) throws Exception {
    requireInstalled();
    return login("pam_exec.so expose_authtok quiet stdout " + HELPER + " " + folder.resolve("host.socket"), name, typed);
  }

  @Test
  void theServerTakesTheAgent() {
    assertThat(agent.orElseThrow().servers().states()).extracting(RealmServers.State::problem).containsExactly("");
  }

  @Test
  void peopleLogInByDebiansRadiusModule() throws Exception {
    String passcode = "2468" + world().code(0);
    Login in = byRadius("alice", passcode);
    assertThat(in.status()).as(in.output()).isZero();
    assertThat(byRadius("alice", passcode).status()).as("the same code").isNotZero();
    Login wrong = byRadius("alice", "0000" + world().code(1));
    assertThat(wrong.status()).isNotZero();
    assertThat(world().idp.audit.events(AuditEvent.PasscodeDecided.class))
        .extracting(e -> e.by() + " " + e.outcome() + " " + e.detail())
        .contains("agent:host accepted t-host", "agent:host refused CODE_USED", "agent:host refused WRONG_PASSCODE");
  }

  @Test
  void debiansRadiusModuleAsksForTheNextCode() throws Exception {
    for (int i = 0; i < 3; i++) {
      byRadius("alice", "0000" + world().code(0));
    }
    Login in = byRadius("alice", "2468" + world().code(0), world().code(1));
    assertThat(in.output()).contains("Wait until the code of your token changes");
    assertThat(in.status()).as(in.output()).isZero();
  }

  @Test
  void peopleChooseANewPinByDebiansRadiusModule() throws Exception {
    world().demandNewPin();
    Login short1 = byRadius("alice", "2468" + world().code(0), "12", "12");
    assertThat(short1.output()).contains("Choose one of 4 to 8 characters");
    // The module does not show why a PIN is refused.
    assertThat(short1.status()).isNotZero();
    Login chosen = byRadius("alice", "2468" + world().code(1), "7391", "7391");
    assertThat(chosen.output()).contains("Enter the new PIN again");
    assertThat(chosen.status()).as(chosen.output()).isZero();
    world().idp.time.advance(Duration.ofSeconds(60));
    assertThat(byRadius("alice", "2468" + world().code(0)).status()).as("the former PIN").isNotZero();
    assertThat(byRadius("alice", "7391" + world().code(0)).status()).isZero();
  }

  @Test
  void peopleTakeThePinThatTheServerMakesOrProposes() throws Exception {
    try {
      world().chosenBy(ChosenBy.SERVER);
      world().demandNewPin();
      AtomicReference<String> made = new AtomicReference<>("");
      Login given =
          byRadius(
              "alice", "2468" + world().code(0), Pattern.compile("Your new PIN is (\\d+)\\."),
              pin -> {
                made.set(pin);
                return pin;
              });
      assertThat(given.status()).as(given.output()).isZero();
      world().idp.time.advance(Duration.ofSeconds(60));
      assertThat(byRadius("alice", made.get() + world().code(0)).status()).isZero();

      world().chosenBy(ChosenBy.EITHER);
      world().demandNewPin();
      Login proposed =
          byRadius("alice", made.get() + world().code(1), Pattern.compile("Enter (\\d+), or one of your own"), pin -> pin + "\n" + pin);
      assertThat(proposed.status()).as(proposed.output()).isZero();
    } finally {
      world().chosenBy(ChosenBy.PERSON);
    }
  }

  @Test
  void peopleLogInByTheSocketAndTheHelper() throws Exception {
    String passcode = "2468" + world().code(0);
    Login in = bySocket("alice", passcode);
    assertThat(in.status()).as(in.output()).isZero();
    Login again = bySocket("alice", passcode);
    assertThat(again.status()).isNotZero();
    assertThat(again.output()).contains("Not accepted. Wait for the next code");
    assertThat(Files.getPosixFilePermissions(folder.resolve("host.socket"))).isEqualTo(PosixFilePermissions.fromString("rw-------"));
    agent.orElseThrow().close();
    agent = Optional.empty();
    Login without = bySocket("alice", "2468" + world().code(1));
    assertThat(without.status()).isNotZero();
    assertThat(without.output()).contains("The agent for passcodes does not run");
  }
}
