package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.NginxServer;
import java.io.IOException;
import java.nio.file.Path;

/** The app behind both: nginx too, so that it is never what bounds; its pages may be kept for an hour. */
record App(NginxServer server, int port) implements AutoCloseable {

  static App start(Path work, Path www) throws IOException, InterruptedException {
    int port = FreePorts.take();
    String config =
        """
        access_log off;
        server {
          listen 127.0.0.1:%d backlog=4096;
          root %s;
          rewrite ^/(public|role|mark|app|form|form-role)/(.*)$ /$2;
          location / { add_header Cache-Control "public, max-age=3600"; }
          location = /small { default_type text/html; add_header Cache-Control no-store; return 200 '%s'; }
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
