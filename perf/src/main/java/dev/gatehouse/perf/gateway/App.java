package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.NginxServer;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The app behind both gateways; it is nginx too, so that it is never the bottleneck. Its pages may be cached for an
 * hour.
 */
record App(NginxServer server, int port) implements AutoCloseable {

  static App start(Path work, Path www) throws IOException, InterruptedException {
    int port = FreePorts.take();
    String config =
        """
        access_log off;
        server {
          listen 127.0.0.1:%1$d backlog=4096;
          root %2$s;
          rewrite ^/(public|role|mark|app|form|form-plain|form-role)/(.*)$ /$2;
          location / { add_header Cache-Control "public, max-age=3600"; }
          location = /fill/page {
            default_type text/html;
            if ($cookie_legacy = "") { return 302 /fill/login; }
            return 200 '%3$s';
          }
          location = /fill/login {
            default_type text/html;
            return 200 '<form method="post" action="/fill/session"><input name="username"><input type="password" name="password"></form>';
          }
          location = /fill/session { add_header Set-Cookie "legacy=yes; Path=/fill/"; return 302 /fill/page; }
          location = /small { default_type text/html; add_header Cache-Control no-store; return 200 '%3$s'; }
        }
        """
            .formatted(port, www, Pages.small());
    return new App(NginxServer.start("app", work, config, port), port);
  }

  @Override
  public void close() {
    server.close();
  }
}
