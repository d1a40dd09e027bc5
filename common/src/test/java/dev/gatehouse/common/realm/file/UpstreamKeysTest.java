package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.node.AccessLogConfig;
import dev.gatehouse.common.node.AccessLogConfig.Format;
import dev.gatehouse.common.realm.Secret;
import dev.gatehouse.common.realm.UpstreamConfig;
import dev.gatehouse.common.realm.UpstreamConfig.Balance;
import dev.gatehouse.common.realm.UpstreamConfig.ClientKey;
import dev.gatehouse.common.realm.UpstreamConfig.Connections;
import dev.gatehouse.common.realm.UpstreamConfig.Health;
import dev.gatehouse.common.realm.UpstreamConfig.Passive;
import dev.gatehouse.common.realm.UpstreamConfig.Retries;
import dev.gatehouse.common.realm.UpstreamConfig.Server;
import dev.gatehouse.common.realm.UpstreamConfig.Times;
import dev.gatehouse.common.realm.UpstreamConfig.Tls;
import dev.gatehouse.common.saml.message.SamlFixtures;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every key of {@code upstream} and {@code accessLog}, and the defaults. */
class UpstreamKeysTest {

  private static final SigningKey RSA = SamlFixtures.idpKey();

  @TempDir Path path;

  private UpstreamConfig upstream(ConfigurationFolder folder, String text) {
    folder.demo("    upstream: http://127.0.0.1:9000\n", text);
    return folder.realm().gateway().routes().getFirst().upstream();
  }

  @Test
  void aUrlAloneIsOneServerWithTheDefaults() {
    UpstreamConfig one = upstream(ConfigurationFolder.minimal(path), "    upstream: http://10.0.0.1:8080/base\n");

    assertThat(one)
        .isEqualTo(
            new UpstreamConfig(
                List.of(new Server(URI.create("http://10.0.0.1:8080/base"), 1, false)),
                new Balance.LeastOutstanding(),
                Optional.empty(),
                new Passive(3, Duration.ofSeconds(10), Duration.ofSeconds(10), Set.of()),
                new Tls(List.of(), Optional.empty(), Optional.empty()),
                new Connections(0, Optional.empty(), Optional.empty()),
                new Times(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                new Retries(2, 50)));
    assertThat(upstream(ConfigurationFolder.minimal(path), "    upstream: {servers: http://10.0.0.1:8080/base}\n"))
        .isEqualTo(one);
  }

  @Test
  void everyKeyOfAnUpstream() throws Exception {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path).pem("realms/app", RSA);
    UpstreamConfig read =
        upstream(
            folder,
            """
                upstream:
                  servers: [https://10.0.0.1, {url: "https://10.0.0.2/b", weight: 3}, {url: "https://10.0.0.3", backup: true}]
                  balance: {cookie: sid}
                  health: {path: "/health?deep", every: 1s, timeout: 500ms, status: 204, healthy: 1, unhealthy: 5}
                  passive: {failures: 0, window: 1m, outFor: 30s, statuses: [502, 503]}
                  retries: {most: 1, budget: 20}
                  tls: {ca: app.pem, clientCertificate: app.pem, clientKey: app.key, serverName: app.internal}
                  keepAlive: 1m
                  connections: {perServer: 100, idle: 8}
                  timeouts: {connect: 1s, tls: 2s, firstByte: 3s, betweenBytes: 4s, whole: 5s}
            """);

    assertThat(read)
        .isEqualTo(
            new UpstreamConfig(
                List.of(
                    new Server(URI.create("https://10.0.0.1"), 1, false),
                    new Server(URI.create("https://10.0.0.2/b"), 3, false),
                    new Server(URI.create("https://10.0.0.3"), 1, true)),
                new Balance.ByCookie("sid"),
                Optional.of(
                    new Health("/health?deep", Duration.ofSeconds(1), Duration.ofMillis(500), 204, 204, 1, 5)),
                new Passive(0, Duration.ofMinutes(1), Duration.ofSeconds(30), Set.of(502, 503)),
                new Tls(
                    List.of(RSA.certificate()),
                    Optional.of(
                        new ClientKey(
                            List.of(RSA.certificate()), new Secret(Files.readString(path.resolve("realms/app.key"))))),
                    Optional.of("app.internal")),
                new Connections(100, Optional.of(8), Optional.of(Duration.ofMinutes(1))),
                new Times(
                    Optional.of(Duration.ofSeconds(1)), Optional.of(Duration.ofSeconds(2)), Optional.of(Duration.ofSeconds(3)),
                    Optional.of(Duration.ofSeconds(4)), Optional.of(Duration.ofSeconds(5))),
                new Retries(1, 20)));
    assertThat(read.toString()).doesNotContain("PRIVATE KEY");
  }

  @ParameterizedTest
  @CsvSource({
    "leastOutstanding, LeastOutstanding[]",
    "hash-address, ByAddress[]",
    "hash-session, BySession[]",
    "'{header: X-Tenant}', ByHeader[name=X-Tenant]"
  })
  void balances(String written, String read) {
    assertThat(
            upstream(ConfigurationFolder.minimal(path), "    upstream: {servers: \"http://a\", balance: " + written + "}\n")
                .balance())
        .hasToString(read);
  }

  @Test
  void theAccessLog() {
    ConfigurationFolder folder = ConfigurationFolder.minimal(path);
    assertThat(folder.load().node().gateway().accessLog()).isEmpty();

    folder.node("accessLog: {file: log/a.log}");
    assertThat(folder.load().node().gateway().accessLog())
        .contains(new AccessLogConfig(path.resolve("log/a.log"), Format.JSON, false, 256L << 20, 10));

    folder.node("accessLog: {file: /var/log/a.log, format: combined, query: true, maxFileSize: 1MB, keep: 3}");
    assertThat(folder.load().node().gateway().accessLog())
        .contains(new AccessLogConfig(Path.of("/var/log/a.log"), Format.COMBINED, true, 1L << 20, 3));
  }
}
