package dev.gatehouse.gateway.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.audit.AuditUnavailable;
import dev.gatehouse.common.disk.SmallDisk;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.Creation;
import dev.gatehouse.common.revision.RevisionStore;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose disks fill up under it, and what its health endpoint says meanwhile. Needs root. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FullDiskNodeTest {
  private static final Path SAMPLE = Path.of("../docker/config/idp");

  private final HttpClient client = HttpClient.newHttpClient();
  private String key = "";

  @TempDir Path folder;

  @Test
  void aFullDataDiskTakesTheNodeOutUntilThereIsSpace() throws IOException, InterruptedException {
    try (SmallDisk disk = new SmallDisk(folder.resolve("data"), "40m");
        RunningNode node = RunningNode.start(configuration(""), Map.of())) {
      await(node, "readiness", 200);
      assertThat(component(node, "space")).isEqualTo("UP");
      disk.fill();
      awaitComponent(node, "space", "OUT_OF_SERVICE");
      // Somebody also takes what the reserve gives back, now or in a moment.
      for (int i = 0; i < 600 && get(node, "/actuator/health/readiness").statusCode() != 503; i++) {
        disk.fill();
        Thread.sleep(100);
      }
      assertThat(get(node, "/actuator/prometheus").body()).contains("gatehouse_space_state{disk=\"data\"}");
      await(node, "readiness", 503);
      disk.free();
      await(node, "readiness", 200);
      awaitComponent(node, "space", "UP");
    }
  }

  @Test
  void aFullAuditDiskTakesTheNodeOutUntilThereIsSpace() throws IOException, InterruptedException {
    try (SmallDisk disk = new SmallDisk(folder.resolve("audit"), "4m");
        RunningNode node = RunningNode.start(configuration("\nconfiguration: {source: database}\naudit: {directory: " + folder.resolve("audit") + "}"), Map.of())) {
      await(node, "readiness", 200);
      AdministratorKeys keys = new AdministratorKeys(folder.resolve("data"), InstantSource.system(), new SecureRandom());
      key = ((Creation.Created) keys.create("ann")).secret();
      disk.fill();
      awaitComponent(node, "space", "OUT_OF_SERVICE");
      disk.fill();
      record(node);
      await(node, "readiness", 503);
      assertThat(component(node, "auditLog")).isEqualTo("DOWN");
      assertThat(component(node, "stores")).isEqualTo("UP");
      HttpResponse<String> refused = putSecret(node);
      assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
      assertThat(refused.body()).contains("The audit log cannot be written; nothing was changed.");
      assertThat(node.get(RevisionStore.class).secrets()).as("what cannot be audited does not happen").isEmpty();
      disk.free();
      await(node, "readiness", 200);
      assertThat(putSecret(node).statusCode()).isEqualTo(200);
    }
  }

  private HttpResponse<String> putSecret(RunningNode node) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.ports().admin() + "/admin/v1/secrets/demo.new"))
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString("{\"text\":\"hunter22\"}"))
            .timeout(Duration.ofSeconds(30))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  /** Fills the rest of the disk with events, at last with shorter ones than any other. */
  private static void record(RunningNode node) {
    for (int length : new int[] {4000, 0}) {
      try {
        for (int i = 0; i < 2_000; i++) {
          node.get(AuditLog.class)
              .record(new AuditEvent.Administered(AuditEvent.Context.node(), "ops", "test", Map.of("text", "x".repeat(length))));
        }
      } catch (AuditUnavailable full) {
        // That is what was wanted.
      }
    }
  }

  private Path configuration(String more) throws IOException {
    Path config = folder.resolve("config");
    Files.createDirectories(config.resolve("realms"));
    String node = Files.readString(SAMPLE.resolve("gatehouse.yaml"));
    String ours = node.replaceAll("port: \\d+", "port: 0").replace("data: /var/lib/gatehouse", "data: ../data" + more);
    Files.writeString(config.resolve("gatehouse.yaml"), ours);
    Files.copy(SAMPLE.resolve("realms/demo.yaml"), config.resolve("realms/demo.yaml"));
    return config;
  }

  /** Within seconds: the test's own limit is for slow machines. */
  private void await(RunningNode node, String group, int status) throws IOException, InterruptedException {
    HttpResponse<String> response = get(node, "/actuator/health/" + group);
    for (int i = 0; i < 600 && response.statusCode() != status; i++) {
      Thread.sleep(100);
      response = get(node, "/actuator/health/" + group);
    }
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
  }

  private void awaitComponent(RunningNode node, String name, String status) throws IOException, InterruptedException {
    for (int i = 0; i < 600 && !component(node, name).equals(status); i++) {
      Thread.sleep(100);
    }
    assertThat(component(node, name)).as(name).isEqualTo(status);
  }

  private String component(RunningNode node, String name) throws IOException, InterruptedException {
    String body = get(node, "/actuator/health").body();
    return body.replaceFirst("(?s).*\"" + name + "\":\\{\"status\":\"([A-Z_]+)\".*", "$1");
  }

  private HttpResponse<String> get(RunningNode node, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + node.ports().admin() + path))
            .timeout(Duration.ofSeconds(30))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
