package dev.gatehouse.perf.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** nginx with a generated configuration on free ports, as an ordinary process. */
public final class NginxServer {

  private static final Path NGINX = Path.of("/usr/sbin/nginx");

  private NginxServer() {}

  /**
   * Starts nginx with as many workers as there are cores.
   *
   * @param http the content of {@code http}: servers and upstreams
   * @param port one of its listening ports
   */
  public static ServerProcess start(String name, Path directory, String http, int port)
      throws IOException, InterruptedException {
    if (!Files.isExecutable(NGINX)) {
      throw new IOException(NGINX + " is missing (Debian: apt-get install nginx-light)");
    }
    Path prefix = Files.createDirectories(directory.resolve(name));
    Path config = prefix.resolve("nginx.conf");
    Files.writeString(config, configuration(prefix, http));
    List<String> command = List.of(NGINX.toString(), "-p", prefix + "/", "-c", config.toString(), "-e", "error.log");
    return ServerProcess.start(name, directory, Map.of(), command, port).awaitPort();
  }

  /** Its configuration, with names in place of what differs from run to run. */
  public static String settings(String http) {
    return configuration(Path.of("/HOME"), http);
  }

  private static String configuration(Path prefix, String http) {
    // The best settings for nginx: files are cached and sent by the kernel, and connections are not closed after a
    // number of requests.
    return """
        daemon off;
        user root;
        pid %1$s/nginx.pid;
        worker_processes auto;
        worker_rlimit_nofile 20000;
        events { worker_connections 12000; }
        http {
          types { text/html html; }
          sendfile on;
          tcp_nopush on;
          keepalive_requests 1000000000;
          open_file_cache max=1000;
          client_body_temp_path %1$s/body;
          proxy_temp_path %1$s/proxy;
          fastcgi_temp_path %1$s/fastcgi;
          uwsgi_temp_path %1$s/uwsgi;
          scgi_temp_path %1$s/scgi;
        %2$s
        }
        """
        .formatted(prefix, http.indent(2));
  }
}
