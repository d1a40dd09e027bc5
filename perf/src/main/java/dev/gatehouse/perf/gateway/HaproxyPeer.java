package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * HAProxy on the gateway's work: proxies the app and caches its pages, with an access log, over HTTP and TLS. As its manual advises: a
 * thread for each core, connections to the app kept and shared ({@code http-reuse always}), and no limit to them.
 */
public record HaproxyPeer(ServerProcess process, int http, int rsa, int p256) implements Peer {

  static final Path PROGRAM = Path.of("/usr/sbin/haproxy");

  static HaproxyPeer start(Path work, int appPort, Certificates rsa, Certificates p256) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(work.resolve("haproxy"));
    int http = FreePorts.take();
    int rsaPort = FreePorts.take();
    int p256Port = FreePorts.take();
    String binds =
        """
          bind 127.0.0.1:%d backlog 4096
          bind 127.0.0.1:%d backlog 4096 ssl crt %s
          bind 127.0.0.1:%d backlog 4096 ssl crt %s
        """
            .formatted(http, rsaPort, pem(folder, "rsa", rsa), p256Port, pem(folder, "p256", p256));
    String cores = Integer.toString(Runtime.getRuntime().availableProcessors());
    Path file = Files.writeString(folder.resolve("haproxy.cfg"), configuration(cores, binds, Integer.toString(appPort)));
    ServerProcess process =
        ServerProcess.start("haproxy", folder, Map.of(), List.of(PROGRAM.toString(), "-db", "-q", "-f", file.toString()), http);
    return new HaproxyPeer(process.awaitPort(), http, rsaPort, p256Port);
  }

  /** Its configuration, with names in place of what differs from run to run. */
  public static String settings() {
    return configuration("CORES", "  bind 127.0.0.1:PORT backlog 4096\n  bind 127.0.0.1:PORT backlog 4096 ssl crt CERTIFICATE\n", "APP");
  }

  private static Path pem(Path folder, String name, Certificates certificates) throws IOException {
    String both = Files.readString(certificates.certificate()) + Files.readString(certificates.privateKey());
    return Files.writeString(folder.resolve(name + ".pem"), both);
  }

  /** HAProxy opens two files for each connection that it may have, and does not start where the shell does not let it (ulimit -n). */
  private static String configuration(String cores, String binds, String appPort) {
    return """
        global
          maxconn 8000
          nbthread %s
          log stdout format raw local0
          ssl-default-bind-options ssl-min-ver TLSv1.2
          ssl-default-bind-ciphersuites TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384
        defaults
          mode http
          log global
          option httplog
          option forwardfor
          http-reuse always
          timeout connect 5s
          timeout client 60s
          timeout server 60s
          timeout http-keep-alive 60s
        cache pages
          total-max-size 64
          max-object-size 100000
          max-age 3600
        frontend all
        %s  http-request set-header X-Forwarded-Proto https if { ssl_fc }
          http-request set-header Remote-User nobody
          default_backend app
        backend app
          http-request cache-use pages
          http-response cache-store pages
          server app 127.0.0.1:%s pool-max-conn -1
        """
        .formatted(cores, binds, appPort);
  }
}
