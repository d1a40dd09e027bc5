package dev.gatehouse.perf.revisions;

import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Commands;
import dev.gatehouse.perf.server.GatehouseNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;

/** A node with its configuration in the database, and an administrator who changes it. */
final class ChangedNode implements AutoCloseable {

  private final GatehouseNode.Configured configured;
  private final Build build;
  private final LargeRealm realm;
  private final String key;
  private GatehouseNode node;

  ChangedNode(GatehouseNode.Configured configured, LargeRealm realm) throws IOException, InterruptedException {
    this.configured = configured;
    this.build = Build.here();
    this.realm = realm;
    this.node = configured.start(build).await();
    List<String> keys = build.command("keys", "admin", "--name", "bench", "--config", configured.config().toString());
    String printed = Commands.output(keys);
    this.key = printed.lines().filter(line -> line.startsWith("gha_")).findFirst().orElseThrow(() -> new IOException(printed));
  }

  URI page(String path) {
    return URI.create(configured.url() + path);
  }

  /** Returns the status of a page. */
  int status(String path) {
    return Commands.status(configured.url() + path, 10_000);
  }

  /** Returns the number of the revision in use. */
  long inUse() throws IOException, InterruptedException {
    HttpResponse<String> page = send(request("revisions?limit=1").build());
    return Report.JSON.readTree(page.body()).get("inUse").asLong();
  }

  /** Applies a change; throws unless it is in use then. */
  void apply(long change, long expected) throws IOException, InterruptedException {
    Map<String, Object> body =
        Map.of("files", List.of(Map.of("path", "realms/demo.yaml", "text", realm.text(change))), "reason", "Change " + change);
    HttpRequest request =
        request("revisions")
            .header("If-Match", "\"" + expected + "\"")
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(Report.JSON.writeValueAsBytes(body)))
            .build();
    HttpResponse<String> applied = send(request);
    if (applied.statusCode() != 201) {
      throw new IOException("status " + applied.statusCode() + ": " + applied.body().substring(0, Math.min(500, applied.body().length())));
    }
  }

  private HttpRequest.Builder request(String path) {
    URI address = URI.create("http://127.0.0.1:" + configured.adminPort() + "/admin/v1/" + path);
    return HttpRequest.newBuilder(address).header("Authorization", "Bearer " + key);
  }

  private static HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(request, BodyHandlers.ofString());
    }
  }

  /** Kills the node with SIGKILL. */
  void kill() throws InterruptedException {
    node.process().kill();
  }

  /** Starts the killed node again. */
  void restart() throws IOException, InterruptedException {
    node = configured.start(build).await();
  }

  @Override
  public void close() {
    node.close();
  }
}
