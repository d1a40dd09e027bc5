package dev.gatehouse.idp.otp.radius;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.key.PeopleCa.CertificateSpec;
import dev.gatehouse.common.key.PeopleCa.Issued;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.junit.jupiter.api.Assertions;

/**
 * A real FreeRADIUS (Debian's package {@code freeradius}) in front of our server: it passes on PAP, and ends EAP-TTLS for Wi-Fi and passes
 * on the PAP inside. It runs as an ordinary process of the test, with a configuration of its own.
 */
final class FreeRadius implements AutoCloseable {

  static final String SECRET = "the secret of those behind FreeRADIUS";

  private static final List<Path> PROGRAMS =
      List.of(Path.of("/usr/sbin/freeradius"), Path.of("/usr/bin/radclient"), Path.of("/usr/bin/eapol_test"));

  private final Process process;
  private final int port;
  private final Path log;

  private FreeRadius(Process process, int port, Path log) {
    this.process = process;
    this.port = port;
    this.log = log;
  }

  /** Skips the test by name if the programs are missing; fails it under {@code CI=true}. */
  static void requireInstalled() {
    String remedy = "apt-get install freeradius freeradius-utils eapoltest";
    boolean installed = PROGRAMS.stream().allMatch(Files::isExecutable);
    if (!installed && "true".equals(System.getenv("CI"))) {
      Assertions.fail("a peer is not installed: " + remedy);
    }
    assumeTrue(installed, "skipped: a peer is not installed (" + remedy + ")");
  }

  /** Starts a server that passes on to our port. */
  static FreeRadius start(Path folder, int ours) throws Exception {
    int port;
    try (DatagramSocket free = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0))) {
      port = free.getLocalPort();
    }
    PeopleCa ca = PeopleCa.create("CN=Wi-Fi CA", Instant.now());
    Issued own = ca.issue(CertificateSpec.of("CN=wifi", PeopleCa.host("wifi.example.org")).purpose(KeyPurposeId.id_kp_serverAuth));
    Files.writeString(folder.resolve("ca.pem"), PeopleCa.pem("CERTIFICATE", ca.certificate().getEncoded()));
    Files.writeString(folder.resolve("own.pem"), PeopleCa.pem("CERTIFICATE", own.certificate().getEncoded()));
    Files.writeString(folder.resolve("own.key"), PeopleCa.pem("PRIVATE KEY", own.privateKey().getEncoded()));
    Files.writeString(folder.resolve("dictionary"), "$INCLUDE /usr/share/freeradius/dictionary\n");
    Map<String, String> values =
        Map.of("@folder@", folder.toString(), "@port@", String.valueOf(port), "@ours@", String.valueOf(ours), "@secret@", SECRET, "@our-secret@",
            RadiusWorld.VPN_SECRET);
    String configuration = CONFIGURATION;
    for (Map.Entry<String, String> value : values.entrySet()) {
      configuration = configuration.replace(value.getKey(), value.getValue());
    }
    Files.writeString(folder.resolve("radiusd.conf"), configuration);
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder("/usr/sbin/freeradius", "-X", "-d", folder.toString()).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    FreeRadius server = new FreeRadius(process, port, log);
    try {
      Eventually.holds(() -> server.log().contains("Ready to process requests") || !process.isAlive());
      if (!process.isAlive()) {
        throw new IllegalStateException(server.log());
      }
      return server;
    } catch (RuntimeException | Error e) {
      server.close();
      throw e;
    }
  }

  int port() {
    return port;
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  /** Runs a client of FreeRADIUS or of the Wi-Fi and returns what it says. */
  static String run(String input, String... command) throws IOException, InterruptedException {
    Process client = new ProcessBuilder(new ArrayList<>(List.of(command))).redirectErrorStream(true).start();
    try (var in = client.getOutputStream()) {
      in.write(input.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    String output = new String(client.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    if (!client.waitFor(30, TimeUnit.SECONDS)) {
      client.destroyForcibly();
      throw new IllegalStateException("did not end: " + output);
    }
    return output;
  }

  /** Runs radclient with attributes, and returns what it says. */
  static String radclient(int port, String secret, String kind, String attributes) throws IOException, InterruptedException {
    return run(attributes, "/usr/bin/radclient", "-x", "-r", "1", "-t", "3", "127.0.0.1:" + port, kind, secret);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(5, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private static final String CONFIGURATION =
      """
      name = gatehouse-test
      logdir = "@folder@"
      run_dir = "@folder@"
      raddbdir = "@folder@"
      libdir = "/usr/lib/freeradius"
      correct_escapes = true
      security {
        allow_vulnerable_openssl = yes
        status_server = yes
      }
      thread pool {
        start_servers = 2
        max_servers = 4
      }
      modules {
        eap {
          default_eap_type = ttls
          tls-config common {
            private_key_file = "@folder@/own.key"
            certificate_file = "@folder@/own.pem"
            ca_file = "@folder@/ca.pem"
            tls_min_version = "1.2"
            tls_max_version = "1.2"
          }
          ttls {
            tls = common
            default_eap_type = md5
            use_tunneled_reply = yes
            virtual_server = "inner"
          }
        }
      }
      client behind {
        ipaddr = 127.0.0.1
        secret = "@secret@"
      }
      home_server gatehouse {
        type = auth
        ipaddr = 127.0.0.1
        port = @ours@
        secret = "@our-secret@"
        status_check = status-server
      }
      home_server_pool gatehouse {
        type = fail-over
        home_server = gatehouse
      }
      realm gatehouse {
        auth_pool = gatehouse
        nostrip
      }
      server default {
        listen {
          type = auth
          ipaddr = 127.0.0.1
          port = @port@
        }
        authorize {
          if (&EAP-Message) {
            eap
          }
          else {
            update control {
              &Proxy-To-Realm := "gatehouse"
            }
          }
        }
        authenticate {
          eap
        }
        pre-proxy {
          update proxy-request {
            &Message-Authenticator := 0x00
          }
        }
        post-proxy {
          eap
        }
      }
      server inner {
        authorize {
          update control {
            &Proxy-To-Realm := "gatehouse"
          }
        }
        pre-proxy {
          update proxy-request {
            &Message-Authenticator := 0x00
          }
        }
      }
      """;
}
