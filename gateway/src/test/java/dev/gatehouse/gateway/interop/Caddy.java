package dev.gatehouse.gateway.interop;

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
 * foreground, in front of an app, asking our gateway by {@code forward_auth}. Its configuration is the one in the README.
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
    String configuration =
        """
        {
          admin off
          auto_https off
          persist_config off
        }
        http://%1$s:%3$d {
          bind %1$s
          handle /.gatehouse/forward-auth/* {
            respond 404
          }
          handle /.gatehouse/* {
            reverse_proxy %2$s:%3$d
          }
          route {
            request_header -Remote-*
            request_header -X-Identity-Token
            forward_auth %2$s:%3$d {
              uri /.gatehouse/forward-auth/caddy
              copy_headers Remote-User Remote-Groups Remote-Name Remote-Email Remote-Roles X-Identity-Token
            }
            reverse_proxy 127.0.0.1:%4$d
          }
        }
        """
            .formatted(address, gateway, port, app);
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
