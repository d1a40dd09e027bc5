package dev.gatehouse.gateway.admin.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.node.Node;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminHostsTest {

  @TempDir Path folder;

  private Path certificate(String host) throws IOException, InterruptedException {
    Path made = folder.resolve(host + ".crt");
    Process process =
        new ProcessBuilder(
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=" + host, "-addext", "subjectAltName=DNS:" + host,
                "-keyout", folder.resolve(host + ".key").toString(), "-out", made.toString())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("openssl.log").toFile())
            .start();
    assertThat(process.waitFor()).isZero();
    return made;
  }

  @Test
  void followsTheCertificateThatIsReplaced() throws Exception {
    Path current = folder.resolve("admin.crt");
    Files.copy(certificate("old.example"), current);
    AdminHosts hosts =
        new AdminHosts(
            new Node.Listener(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.of(new Node.Tls(current, folder.resolve("admin.key")))),
            Optional.of(new Node.AdminLogin("demo", new Origin("https", "public.example", 443))));
    assertThat(hosts.accepts("public.example")).isTrue();
    assertThat(hosts.accepts("old.example")).isTrue();
    assertThat(hosts.accepts("new.example")).isFalse();
    Path fresh = Files.copy(certificate("new.example"), folder.resolve("fresh"));
    Files.move(fresh, current, StandardCopyOption.ATOMIC_MOVE);
    assertThat(hosts.accepts("new.example")).isTrue();
    assertThat(hosts.accepts("old.example")).isFalse();
    // While it is being replaced by hand, those of before count.
    Files.writeString(current, "");
    assertThat(hosts.accepts("new.example")).isTrue();
    assertThat(hosts.accepts("old.example")).isFalse();
    assertThat(hosts.accepts("127.0.0.1")).isTrue();
  }
}
