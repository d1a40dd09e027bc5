package dev.gatehouse.gateway.interop;

import dev.gatehouse.gateway.docs.Page;
import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.springframework.util.FileSystemUtils;

/**
 * nginx (Debian's package) in the foreground: in front of an app, asking our gateway by {@code auth_request}, and as an
 * origin of files behind it. The configuration of the first is the one in docs/how-to/forward-auth.md.
 */
final class Nginx implements AutoCloseable {

  private static final Path PROGRAM = Path.of("/usr/sbin/nginx");

  /** Of the page below {@code /files/}. */
  static final String PAGE = "<!doctype html><title>Static</title><h1>A file</h1>" + "x".repeat(14_000);

  private final Path home;
  private final ServerProcess process;

  private Nginx(Path home, ServerProcess process) {
    this.home = home;
    this.process = process;
  }

  /** Skips the test by name where nginx is missing; fails it under {@code CI=true}. */
  static void requireInstalled() {
    boolean installed = Files.isExecutable(PROGRAM);
    if (!installed && "true".equals(System.getenv("CI"))) {
      Assertions.fail("not installed: apt-get install nginx");
    }
    Assumptions.assumeTrue(installed, "skipped: nginx is not installed");
  }

  /**
   * @param logs where {@code nginx.log} goes
   * @param address at which it is in front of the app; at the same port the gateway
   * @param files the port at which it serves files
   */
  static Nginx start(Path logs, String address, String gateway, int port, int app, int files) throws IOException {
    Path home = Files.createTempDirectory("gatehouse-nginx");
    // nginx gives up root, and then it must still be able to read.
    Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(home.resolve("pages/files"));
    Files.writeString(home.resolve("pages/files/page.html"), PAGE);
    Files.createDirectories(home.resolve("pages/files/public"));
    Files.writeString(home.resolve("pages/files/public/page.html"), PAGE);
    Path configuration =
        Files.writeString(home.resolve("nginx.conf"), configuration(home, address, gateway, port, app, files));
    ServerProcess process =
        ServerProcess.start(
            "nginx", logs, Map.of(), List.of(PROGRAM.toString(), "-e", "stderr", "-c", configuration.toString()));
    return new Nginx(
        home, process.await(() -> Apache.listens(address, port) && Apache.listens("127.0.0.1", files), Duration.ofSeconds(60)));
  }

  /** Returns a configuration that runs in the foreground and writes nowhere but into that folder. @param http what its block has beside that */
  static String configuration(Path home, String http) {
    return """
        daemon off;
        worker_processes 1;
        pid %1$s/nginx.pid;
        error_log stderr warn;
        events {}
        http {
          access_log off;
          client_body_temp_path %1$s/body;
          proxy_temp_path %1$s/proxy;
          fastcgi_temp_path %1$s/fastcgi;
          uwsgi_temp_path %1$s/uwsgi;
          scgi_temp_path %1$s/scgi;
        %2$s}
        """
        .formatted(home, http.indent(2));
  }

  private static String configuration(Path home, String address, String gateway, int port, int app, int files) {
    String locations =
        Page.block("forward-auth-nginx")
            .replace("127.0.0.1:8000", gateway + ":" + port)
            .replace("127.0.0.1:9000", "127.0.0.1:" + app);
    return configuration(
        home,
        """
        types { text/html html; }
        server {
          listen 127.0.0.1:%5$d;
          root %1$s/pages;
        }
        server {
          listen %2$s:%4$d;

        %3$s}
        """
            .formatted(home, address, locations.indent(2), port, files));
  }

  @Override
  public void close() {
    process.close();
    try {
      FileSystemUtils.deleteRecursively(home);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
