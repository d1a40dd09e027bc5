package dev.gatehouse.gateway.interop;

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
 * these tests and of the README.
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
        """
        global
          lua-load %5$s
        defaults
          mode http
          timeout connect 5s
          timeout client 60s
          timeout server 60s
        frontend apps
          bind %1$s:%3$d
          acl own path_beg /.gatehouse/
          http-request deny deny_status 404 if { path_beg /.gatehouse/forward-auth/ }
          # Nothing of this is believed from a client.
          http-request del-header X-Forwarded-For
          http-request del-header Forwarded
          http-request del-header X-Forwarded-Port
          http-request set-header X-Forwarded-Proto http
          http-request set-header X-Forwarded-Host %%[req.hdr(host)]
          http-request set-header X-Forwarded-For %%[src]
          http-request lua.gatehouse-auth http://%2$s:%3$d unless own
          use_backend gatehouse if own
          default_backend app
        backend gatehouse
          server gatehouse %2$s:%3$d
        backend app
          server app 127.0.0.1:%4$d
        """
            .formatted(address, gateway, port, app, SCRIPT);
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
