package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.NginxServer;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;

/** nginx on the gateway's work: serves files and proxies an app, with an access log, over HTTP and TLS. */
public record NginxPeer(ServerProcess process, int http, int rsa, int p256) implements Peer {

  static NginxPeer start(Path work, Path www, int appPort, Certificates rsa, Certificates p256)
      throws IOException, InterruptedException {
    int http = FreePorts.take();
    int rsaPort = FreePorts.take();
    int p256Port = FreePorts.take();
    String secure = secure(rsaPort, rsa.certificate(), rsa.privateKey(), www) + secure(p256Port, p256.certificate(), p256.privateKey(), www);
    String config = configuration(Integer.toString(appPort), plain(http, www) + secure);
    return new NginxPeer(NginxServer.start("nginx", work, config, http), http, rsaPort, p256Port);
  }

  /** Its configuration, with names in place of what differs from run to run. */
  public static String settings() {
    Path www = Path.of("/WWW");
    return NginxServer.settings(
        configuration("APP", plain(8080, www) + secure(8443, Path.of("/CERTIFICATE"), Path.of("/KEY"), www)));
  }

  private static String configuration(String appPort, String servers) {
    return """
        access_log access.log combined buffer=64k flush=1s;
        ssl_protocols TLSv1.2 TLSv1.3;
        ssl_prefer_server_ciphers on;
        ssl_conf_command Ciphersuites TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384;
        upstream app { server 127.0.0.1:%s; keepalive 256; keepalive_requests 1000000000; }
        %s"""
        .formatted(appPort, servers);
  }

  private static String plain(int port, Path www) {
    return """
        server { listen 127.0.0.1:%d backlog=4096;
        %s}
        """
        .formatted(port, locations(www));
  }

  private static String secure(int port, Path certificate, Path privateKey, Path www) {
    return """
        server { listen 127.0.0.1:%d ssl backlog=4096; ssl_certificate %s; ssl_certificate_key %s;
        %s}
        """
        .formatted(port, certificate, privateKey, locations(www));
  }

  private static String locations(Path www) {
    return """
          root %s;
          location /app/ {
            proxy_pass http://app;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_set_header Remote-User nobody;
          }
        """
        .formatted(www);
  }
}
