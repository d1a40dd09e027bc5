package dev.gatehouse.gateway.interop;

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
 * origin of files behind it. The configuration of the first is the one in the README.
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

  private static String configuration(Path home, String address, String gateway, int port, int app, int files) {
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
          types { text/html html; }
          server {
            listen 127.0.0.1:%6$d;
            root %1$s/pages;
          }
          server {
            listen %2$s:%4$d;

            # Login, logout and messages of identity providers are Gatehouse's own.
            location /.gatehouse/ {
              proxy_pass http://%3$s:%4$d;
              proxy_set_header Host $http_host;
              proxy_set_header X-Forwarded-For $remote_addr;
              proxy_set_header X-Forwarded-Proto $scheme;
              proxy_set_header X-Forwarded-Host $http_host;
              proxy_set_header X-Forwarded-Port "";
            }

            location /.gatehouse/forward-auth/ { return 404; }

            location = /gatehouse-auth {
              internal;
              proxy_pass http://%3$s:%4$d/.gatehouse/forward-auth/nginx;
              proxy_pass_request_body off;
              proxy_set_header Content-Length "";
              proxy_set_header Host $http_host;
              proxy_set_header X-Forwarded-For $remote_addr;
              proxy_set_header X-Original-Method $request_method;
              proxy_set_header X-Original-URL $scheme://$host:$server_port$request_uri;
            }

            location / {
              auth_request /gatehouse-auth;
              auth_request_set $login $upstream_http_x_gatehouse_login;
              auth_request_set $remote_user_known $upstream_http_remote_user;
              auth_request_set $remote_groups $upstream_http_remote_groups;
              auth_request_set $remote_roles $upstream_http_remote_roles;
              auth_request_set $remote_email $upstream_http_remote_email;
              auth_request_set $identity_token $upstream_http_x_identity_token;
              error_page 401 = @login;

              # All that the app believes is set here: an empty value removes what a client sent.
              proxy_set_header Remote-User $remote_user_known;
              proxy_set_header Remote-Groups $remote_groups;
              proxy_set_header Remote-Roles $remote_roles;
              proxy_set_header Remote-Email $remote_email;
              proxy_set_header X-Identity-Token $identity_token;
              proxy_set_header Host $http_host;
              proxy_pass http://127.0.0.1:%5$d;
            }

            location @login {
              if ($login = "") { return 401; }
              return 302 $login;
            }
          }
        }
        """
        .formatted(home, address, gateway, port, app, files);
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
