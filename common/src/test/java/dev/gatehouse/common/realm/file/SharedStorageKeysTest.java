package dev.gatehouse.common.realm.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.node.Node.Storage;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.node.OtpServerConfig;
import dev.gatehouse.common.node.PostgresConfig;
import dev.gatehouse.common.node.SharedConfig;
import dev.gatehouse.common.realm.Secret;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The keys of {@code storage: shared}, and what is said about wrong ones. */
class SharedStorageKeysTest {

  private static final String KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
  private static final String SHARED =
      """
      storage: shared
      deployment: staging
      masterKey: %s
      postgresql: {url: "postgresql://127.0.0.1,localhost:6000/gate", user: gatehouse, password: example, connections: 4}
      valkey: {server: "127.0.0.1:6379", tls: false}
      """
          .formatted(KEY);

  @TempDir Path path;
  private ConfigurationFolder folder;

  @BeforeEach
  void minimal() {
    folder = ConfigurationFolder.minimal(path);
  }

  @Test
  void everyKey() throws Exception {
    folder.node(SHARED);
    Node node = folder.files().loadNode().node();
    assertThat(node.storage()).isEqualTo(Storage.SHARED);
    SharedConfig shared = node.state().requireShared();
    assertThat(shared.deployment()).isEqualTo("staging");
    assertThat(shared.valkey().namespace()).isEqualTo("staging");
    assertThat(shared.masterKey()).isEqualTo(new Secret(KEY));
    assertThat(shared.postgres())
        .isEqualTo(
            new PostgresConfig(
                List.of(InetSocketAddress.createUnresolved("127.0.0.1", 5432), InetSocketAddress.createUnresolved("localhost", 6000)),
                "gate", "gatehouse", new Secret("example"), 4, true, Optional.empty()));
    assertThat(folder.files().loadNode().source()).isEqualTo(Configuration.Source.DATABASE);
  }

  private static final String OTP =
      """
      otp:
        role: replica
        server: paris
        isolated: 2h
        servers:
          berlin: {url: "postgresql://127.0.0.1:6001/gate", user: gatehouse, password: example}
          paris: {url: "postgresql://127.0.0.1:6002/gate", user: gatehouse, password: example}
      """;

  @Test
  void serversOfOneTimePasswordsAreNamedWithTheirDatabases() throws Exception {
    folder.node("roles: [idp]\n" + SHARED + OTP);
    Node node = folder.files().loadNode().node();
    OtpServerConfig otp = node.state().requireShared().otp().orElseThrow();
    assertThat(node.isOtpReplica()).isTrue();
    assertThat(otp.server()).isEqualTo("paris");
    assertThat(otp.isolated()).isEqualTo(Duration.ofHours(2));
    assertThat(otp.servers()).containsOnlyKeys("berlin", "paris");
    folder.node(SHARED + "otp: {role: primary, server: berlin}\n");
    assertThat(folder.files().loadNode().node().isOtpReplica()).isFalse();
    assertProblem("roles: [idp]\n" + OTP, "otp: has no effect without storage: shared: a node with another storage is alone");
    assertProblem("roles: [idp, sp]\n" + SHARED + OTP, "roles: has more than a replica of one-time passwords serves");
    assertProblem("roles: [idp]\n" + SHARED + OTP.replaceAll("(?m)^ +berlin.*\n", ""), "otp.servers: does not name the primary");
    assertProblem("roles: [idp]\n" + SHARED + OTP.replace("berlin:", "Berlin:"), "otp.servers: has Berlin, which is not a name");
    assertProblem("roles: [idp]\n" + SHARED + OTP.replace("2h", "25h"), "otp.isolated: ");
    assertProblem("roles: [idp]\n" + SHARED + OTP.replace("role: replica", "role: both"), "otp.role: ");
  }

  @Test
  void tlsIsTheRuleForOtherHosts() throws Exception {
    folder.node(SHARED.replace("127.0.0.1,localhost:6000", "db.example.org"));
    assertThat(folder.files().loadNode().node().state().requireShared().postgres().isClear()).isFalse();
    assertProblem(
        SHARED.replace("127.0.0.1,localhost:6000", "db.example.org").replace("connections: 4", "tls: false"),
        "postgresql.tls: is false, so that passwords and personal data would travel in clear text");
  }

  @Test
  void eachMistakeIsNamed() {
    assertProblem(SHARED.replaceAll("(?m)^postgresql:.*\n", ""), "postgresql: is missing, but storage is shared");
    assertProblem(SHARED.replaceAll("(?m)^valkey:.*\n", ""), "valkey: is missing, but storage is shared");
    assertProblem(SHARED.replaceAll("(?m)^masterKey:.*\n", ""), "masterKey: is missing, but storage is shared", "openssl rand -base64 32");
    assertProblem(SHARED.replace("storage: shared", "storage: embedded"), "has no effect without storage: shared");
    assertProblem(SHARED.replace(KEY, "c2hvcnQ="), "is not a key of 32 bytes in base64");
    assertProblem(SHARED.replace("/gate\"", "/gate?sslmode=disable\""), "is not the address of a PostgreSQL database");
    assertProblem(SHARED.replace("staging", "Staging!"), "deployment", "is not a name");
    assertProblem(SHARED + "configuration: {source: files}\n", "each node would have its own configuration");
  }

  private void assertProblem(String node, String... parts) {
    assertThatThrownBy(
            () -> {
              folder.node(node);
              folder.files().loadNode();
            })
        .message()
        .contains(parts)
        .doesNotContain("example,", "c2hvcnQ=");
  }
}
