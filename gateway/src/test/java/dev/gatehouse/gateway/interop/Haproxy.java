package dev.gatehouse.gateway.interop;

import dev.gatehouse.gateway.docs.Page;
import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * HAProxy (Debian's package) in the foreground, in front of an app, asking our gateway by a script in Lua that is part of
 * these tests. Its configuration is the one in docs/how-to/forward-auth.md.
 */
final class Haproxy implements AutoCloseable {

  private static final Path PROGRAM = Path.of("/usr/sbin/haproxy");
  private static final Path SCRIPT = Path.of("src/test/resources/foreign/gatehouse.lua").toAbsolutePath();

  private final ServerProcess process;

  private Haproxy(ServerProcess process) {
    this.process = process;
  }

  /** Skips the test by name where HAProxy is missing; fails it under {@code CI=true}. */
  static void requireInstalled() {
    boolean installed = Files.isExecutable(PROGRAM);
    if (!installed && "true".equals(System.getenv("CI"))) {
      Assertions.fail("not installed: apt-get install haproxy");
    }
    Assumptions.assumeTrue(installed, "skipped: haproxy is not installed");
  }

  /** @param logs where {@code haproxy.log} and its configuration go */
  static Haproxy start(Path logs, String address, String gateway, int port, int app) throws IOException {
    String configuration =
        Page.block("forward-auth-haproxy")
            .replace("/etc/haproxy/gatehouse.lua", SCRIPT.toString())
            .replace("bind :80", "bind " + address + ":" + port)
            .replace("127.0.0.1:8000", gateway + ":" + port)
            .replace("127.0.0.1:9000", "127.0.0.1:" + app);
    Path file = Files.writeString(logs.resolve("haproxy.cfg"), configuration).toAbsolutePath();
    ServerProcess process =
        ServerProcess.start("haproxy", logs, Map.of(), List.of(PROGRAM.toString(), "-db", "-f", file.toString()));
    return new Haproxy(process.await(() -> Apache.listens(address, port), Duration.ofSeconds(60)));
  }

  @Override
  public void close() {
    process.close();
  }
}
