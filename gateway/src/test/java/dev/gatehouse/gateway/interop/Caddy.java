package dev.gatehouse.gateway.interop;

import dev.gatehouse.gateway.docs.Page;
import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * Caddy (the Go module {@code github.com/caddyserver/caddy/v2/cmd/caddy}, which {@code ./gatehouse test} builds) in the
 * foreground, in front of an app, asking our gateway by {@code forward_auth}. Its configuration is the one in
 * docs/how-to/forward-auth.md.
 */
final class Caddy implements AutoCloseable {

  /** As in {@code ./gatehouse}. */
  private static final String VERSION = "v2.11.9";

  private final ServerProcess process;

  private Caddy(ServerProcess process) {
    this.process = process;
  }

  private static Path program() {
    Path tools =
        Optional.ofNullable(System.getenv("GATEHOUSE_TEST_TOOLS"))
            .map(Path::of)
            .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache/gatehouse/tools"));
    return tools.resolve("caddy-" + VERSION).resolve("caddy");
  }

  static boolean isInstalled() {
    return Files.isExecutable(program());
  }

  /** Skips the test by name where Caddy is missing; fails it under {@code CI=true}. */
  static void requireInstalled() {
    boolean installed = isInstalled();
    if (!installed && "true".equals(System.getenv("CI"))) {
      Assertions.fail("not installed: " + program() + ", which ./gatehouse test builds where Go is installed");
    }
    Assumptions.assumeTrue(installed, "skipped: Caddy is not installed, because Go is not");
  }

  /** @param logs where {@code caddy.log} and its configuration go */
  static Caddy start(Path logs, String address, String gateway, int port, int app) throws IOException {
    String site =
        Page.block("forward-auth-caddy")
            .replace("app.example.org {", "http://" + address + ":" + port + " {\n  bind " + address)
            .replace("gatehouse:8000", gateway + ":" + port)
            .replace("app:9000", "127.0.0.1:" + app);
    String configuration = "{\n  admin off\n  auto_https off\n  persist_config off\n}\n" + site;
    Path file = Files.writeString(logs.resolve("Caddyfile"), configuration).toAbsolutePath();
    Path home = Files.createDirectories(logs.resolve("caddy-home")).toAbsolutePath();
    ServerProcess process =
        ServerProcess.start(
            "caddy", logs, Map.of("HOME", home.toString(), "XDG_DATA_HOME", home.toString(), "XDG_CONFIG_HOME", home.toString()),
            List.of(program().toString(), "run", "--adapter", "caddyfile", "--config", file.toString()));
    return new Caddy(process.await(() -> Apache.listens(address, port), Duration.ofSeconds(60)));
  }

  @Override
  public void close() {
    process.close();
  }
}
