package dev.gatehouse.idp.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.common.key.PeopleCa.CertificateSpec;
import dev.gatehouse.common.key.PeopleCa.Issued;
import dev.gatehouse.common.realm.ConfigurationInvalid;
import dev.gatehouse.idp.agent.metrics.MetricsSettings;
import dev.gatehouse.idp.agent.server.ServerSettings.Times;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code agent.yaml}: each key, its default and its mistakes. */
final class AgentYamlTest {

  private static final PeopleCa CA = PeopleCa.create("CN=Test CA", Instant.now());
  private static final Issued OWN = CA.issue(CertificateSpec.of("CN=host"));

  private static final String LEAST =
      """
      client: {id: host-1, key: agent.key}
      realm: https://a.example.org/realms/staff
      radius: {secret: 'a secret of this host'}
      """;

  @TempDir private Path folder;

  @BeforeEach
  void files() throws Exception {
    Files.writeString(folder.resolve("agent.key"), PeopleCa.pem("PRIVATE KEY", OWN.privateKey().getEncoded()));
    Files.writeString(folder.resolve("agent.crt"), PeopleCa.pem("CERTIFICATE", OWN.certificate().getEncoded()));
    Files.writeString(folder.resolve("ca.pem"), PeopleCa.pem("CERTIFICATE", CA.certificate().getEncoded()));
    Files.writeString(folder.resolve("other.crt"),
        PeopleCa.pem("CERTIFICATE", CA.issue(CertificateSpec.of("CN=other")).certificate().getEncoded()));
    Files.createDirectories(folder.resolve("secrets"));
    Files.writeString(folder.resolve("secrets/radius"), "from a file\n");
  }

  private AgentSettings read(String text) throws IOException, ConfigurationInvalid {
    Path file = folder.resolve("agent.yaml");
    Files.writeString(file, text);
    return AgentYaml.read(file, Map.of("KEY_PATH", "agent.key"));
  }

  private void mistake(String text, String expected) {
    assertThatThrownBy(() -> read(text)).as(text).isInstanceOf(ConfigurationInvalid.class).hasMessageContaining(expected);
  }

  @Test
  void theLeastHasDefaults() throws Exception {
    AgentSettings settings = read(LEAST);
    assertThat(settings.servers().realm()).isEqualTo(URI.create("https://a.example.org/realms/staff"));
    assertThat(settings.servers().servers()).containsExactly(InetSocketAddress.createUnresolved("a.example.org", 443));
    assertThat(settings.servers().isPinned()).isFalse();
    assertThat(settings.servers().authorities()).isEmpty();
    assertThat(settings.servers().times())
        .isEqualTo(new Times(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(10)));
    assertThat(settings.servers().key().audience()).isEqualTo("https://a.example.org/realms/staff");
    assertThat(settings.servers().key().chain()).isEmpty();
    assertThat(settings.radius().orElseThrow().address().toString()).endsWith("127.0.0.1:1812");
    assertThat(settings.radius().orElseThrow().language()).isEqualTo("en");
    assertThat(settings.socket()).isEmpty();
    assertThat(settings.offline()).isEmpty();
    assertThat(settings.state()).isEqualTo(Path.of("/var/lib/gatehouse-agent"));
    assertThat(read(LEAST + "offline: {folder: days, key: file}\n").state()).isEqualTo(folder.resolve("days"));
    assertThat(settings.toString()).doesNotContain("a secret of this host");
  }

  @Test
  void everyKeyIsRead() throws Exception {
    AgentSettings settings =
        read(
            """
            client: {id: host-1, key: "${KEY_PATH}", certificate: agent.crt, audience: https://issuer.example.org}
            realm: https://a.example.org:8445/realms/staff
            servers: [192.0.2.11, 'b.example.org:8446', '[2001:db8::1]', '[2001:db8::1]:8447']
            pinned: ['[2001:db8::1]:8447', 192.0.2.11]
            ca: ca.pem
            language: de
            timeouts: {connect: 200ms, probe: 300ms, request: 2s, between: 1m}
            radius: {address: "::1", port: 1645, secret: {secret: radius}, users: [www-data]}
            socket: {path: socket, group: shadow, users: [web]}
            offline: {folder: days, key: tpm}
            metrics: {socket: figures, group: adm}
            state: kept
            """);
    assertThat(settings.servers().servers())
        .containsExactly(InetSocketAddress.createUnresolved("2001:db8::1", 8447), InetSocketAddress.createUnresolved("192.0.2.11", 8445));
    assertThat(settings.servers().isPinned()).isTrue();
    assertThat(settings.servers().authorities()).hasSize(1);
    assertThat(settings.servers().times())
        .isEqualTo(new Times(Duration.ofMillis(200), Duration.ofMillis(300), Duration.ofSeconds(2), Duration.ofMinutes(1)));
    assertThat(settings.servers().key().audience()).isEqualTo("https://issuer.example.org");
    assertThat(settings.servers().key().chain()).hasSize(1);
    assertThat(settings.radius().orElseThrow().address().getPort()).isEqualTo(1645);
    assertThat(settings.radius().orElseThrow().secret().value()).isEqualTo("from a file");
    assertThat(settings.radius().orElseThrow().users()).containsExactly("www-data");
    assertThat(settings.radius().orElseThrow().language()).isEqualTo("de");
    assertThat(settings.socket().orElseThrow().path()).isEqualTo(folder.resolve("socket"));
    assertThat(settings.socket().orElseThrow().group()).contains("shadow");
    assertThat(settings.socket().orElseThrow().users()).isEqualTo(Set.of("web"));
    assertThat(settings.state()).isEqualTo(folder.resolve("kept"));
    assertThat(settings.offline().orElseThrow().isInTpm()).isTrue();
    assertThat(settings.offline().orElseThrow().folder()).isEqualTo(folder.resolve("days"));
    assertThat(settings.metrics()).contains(new MetricsSettings.Socket(folder.resolve("figures"), Optional.of("adm")));
    assertThat(read(LEAST + "metrics: {port: 9469}\n").metrics())
        .contains(new MetricsSettings.Port(new InetSocketAddress("127.0.0.1", 9469)));
  }

  @Test
  void eachMistakeSaysWhatWouldBeRight() throws Exception {
    mistake(LEAST.replace("radius: {", "radius: {address: 192.0.2.1, "), "is not on loopback");
    mistake(LEAST.replace("radius: {", "radius: {address: '*', "), "write 127.0.0.1 or ::1");
    mistake(LEAST.replace("https://a", "http://a"), "would carry passcodes in clear text — use https");
    mistake(LEAST.replace("https://a.example.org/realms/staff", "'https://a.example.org/realms/staff?x=1'"), "has a query");
    mistake(LEAST.replaceAll("realm:.*\n", ""), "realm: is missing");
    mistake(LEAST + "servers: [192.0.2.11, 192.0.2.11]\n", "names a server twice");
    mistake(LEAST + "servers: [https://a.example.org]\n", "is no host or host:port");
    mistake(LEAST + "servers: ['192.0.2.11:70000']\n", "is no host or host:port");
    String local = LEAST.replace("https://a.example.org", "http://localhost:8080");
    mistake(local + "servers: [192.0.2.11]\n", "would get passcodes in clear text, because realm is http");
    assertThat(read(local + "servers: [127.0.0.1]\n").servers().servers()).hasSize(1);
    mistake(LEAST + "pinned: [192.0.2.11]\n", "is not one of servers");
    mistake(LEAST.replace("id: host-1, ", ""), "client.id: is missing");
    mistake(LEAST.replace("agent.key", "none.key"), "cannot read the file");
    mistake(LEAST.replace("agent.key", "agent.crt"), "is not a PEM private key");
    mistake(LEAST.replace("key: agent.key", "key: agent.key, certificate: other.crt"), "is not that of the key");
    mistake(LEAST.replaceAll("radius:.*\n", ""), "is missing, and socket too");
    mistake(LEAST.replaceAll("radius:.*\n", "radius: {port: 1812}\n"), "radius.secret: is missing");
    mistake(LEAST + "timeouts: {request: 1s}\n", "is not longer than connect");
    mistake(LEAST + "socket: {path: socket, users: [web]}\n", "stands without group");
    mistake(LEAST + "socket: {path: /none/of/these/socket}\n", "is in a folder that does not exist");
    mistake(LEAST + "socket: {path: /tmp/" + "x".repeat(120) + "}\n", "has more than 100 bytes");
    mistake(LEAST + "socket: {path: /tmp/socket}\n", "is in a folder that everybody can write to");
    mistake(LEAST + "socket: {path: /tmp/" + "x".repeat(80) + "/s}\n", "its folder more than 70");
    mistake(LEAST + "metrics: {}\n", "is missing, and port too — write one place");
    mistake(LEAST + "metrics: {socket: figures, port: 9469}\n", "stands beside port");
    mistake(LEAST + "metrics: {port: 9469, group: adm}\n", "stands without socket");
    mistake(LEAST + "metrics: {port: 9469, address: 192.0.2.1}\n", "is not on loopback");
    mistake(LEAST + "metrics: {socket: /tmp/figures}\n", "is in a folder that everybody can write to");
    mistake(LEAST + "offline: {folder: days}\n", "offline.key: is missing");
    mistake(LEAST + "offline: {folder: days, key: disk}\n", "write one of tpm, file");
    mistake(LEAST + "server: x\n", "did you mean servers?");
    java.security.KeyPairGenerator ed = java.security.KeyPairGenerator.getInstance("Ed25519");
    Files.writeString(folder.resolve("agent.key"), PeopleCa.pem("PRIVATE KEY", ed.generateKeyPair().getPrivate().getEncoded()));
    mistake(LEAST, "is neither RSA nor EC P-256");
  }
}
