package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.FreePorts;
import dev.gatehouse.gateway.launch.PlainBrowser.Shown;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.ServerProcess;
import dev.gatehouse.gateway.process.Servers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node of {@code storage: shared} that starts while PostgreSQL is away. */
@Timeout(300)
class SharedOutageIT {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Path CONFIGURATION = Path.of("src/test/resources/shared");
  private static final List<Integer> PORTS = FreePorts.take(3);

  @AutoClose private final Servers servers = new Servers();
  private final Map<String, String> environment = new HashMap<>();
  @TempDir private Path data;

  @Test
  void aNodeStartsAndServesSessionsWithPostgresqlAway() throws Exception {
    SharedParts parts = SharedParts.start(servers, PORTS.get(0), PORTS.get(1));
    environment.putAll(parts.of(0, data, new SharedParts.Ports(PORTS.get(0), PORTS.get(1), PORTS.get(2))));
    ServerProcess first = serving("first");
    try (PlainBrowser browser = new PlainBrowser()) {
      assertThat(login(browser).body()).contains("alice");
      first.close();
      parts.postgres().kill();
      ServerProcess second = serving("second");
      assertThat(second.output()).contains("The node starts with the configuration and the keys that it had last, revision 1");
      assertThat(browser.open(app()).body()).contains("alice");
      assertThat(browser.fetch("http://127.0.0.1:" + PORTS.get(2) + "/actuator/health/readiness")).isEqualTo(200);
      // Nobody knows whether the person has a second factor.
      try (PlainBrowser other = new PlainBrowser()) {
        assertThat(posted(other).status()).isEqualTo(503);
      }
      // Valkey goes on counting, and PostgreSQL must not count as an older copy for that.
      Eventually.holds(() -> Files.exists(data.resolve("snapshot/sequence")));
      FileTime kept = Files.getLastModifiedTime(data.resolve("snapshot/sequence"));
      Eventually.holds(() -> isChanged(kept));
      second.close();
      aSnapshotThatWasChangedIsRefused();
      ServerProcess third = serving("third");
      parts.postgres().startAgain();
      Eventually.holds(() -> third.output().contains("The database answers again"));
      assertThat(browser.open(app()).body()).contains("alice");
      try (PlainBrowser other = new PlainBrowser()) {
        assertThat(login(other).body()).contains("alice");
      }
    }
  }

  /** {@code LocalSnapshotTest} has what else is refused. */
  private void aSnapshotThatWasChangedIsRefused() throws IOException {
    Path revision = data.resolve("snapshot/revision");
    byte[] right = Files.readAllBytes(revision);
    byte[] changed = right.clone();
    changed[changed.length - 1] ^= 1;
    Files.write(revision, changed);
    assertThat(refused()).contains("was changed, or another master key sealed it: remove the folder");
    Files.write(revision, right);
  }

  private boolean isChanged(FileTime since) {
    try {
      return !Files.getLastModifiedTime(data.resolve("snapshot/sequence")).equals(since);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String refused() throws IOException {
    Path logs = Files.createDirectories(Path.of("target/shared/outage-refused"));
    try (ServerProcess node =
        ServerProcess.start("node", logs, environment, BuiltNode.command("run", "--config", CONFIGURATION.toString()))) {
      node.await(() -> node.output().contains("was not started"), PATIENCE);
      return node.output();
    }
  }

  private ServerProcess serving(String name) throws IOException {
    Path logs = Files.createDirectories(Path.of("target/shared/outage-" + name));
    ServerProcess node = servers.begun(BuiltNode.run(CONFIGURATION, logs, environment));
    node.await(() -> node.output().split("taken over", -1).length > 2, PATIENCE);
    return node;
  }

  private Shown login(PlainBrowser browser) throws Exception {
    Shown shown = posted(browser);
    while (!shown.url().toString().startsWith(app())) {
      shown = browser.submit(shown, browser.form(shown));
    }
    return shown;
  }

  private Shown posted(PlainBrowser browser) throws Exception {
    Shown login = browser.open(app());
    return browser.submit(login, browser.form(login).with("username", "alice").with("password", "demo"));
  }

  private static String app() {
    return "http://app.localhost:" + PORTS.get(1) + "/";
  }
}
