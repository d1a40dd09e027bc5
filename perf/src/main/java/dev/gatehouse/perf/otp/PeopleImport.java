package dev.gatehouse.perf.otp;

import dev.gatehouse.perf.harness.Report;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.Commands;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** Synchronises the people of a slapd with a node that has nobody yet, and then once more, when there is nothing to do. */
final class PeopleImport {

  private static final long BETWEEN_MILLIS = 50;

  /**
   * What it took, in seconds from the request to the end of the job.
   *
   * @param nothing of the run that finds nothing to do
   */
  record Times(int people, double first, double nothing) {}

  private final HttpClient http;
  private final int adminPort;
  private final String key;

  private PeopleImport(HttpClient http, int adminPort, String key) {
    this.http = http;
    this.adminPort = adminPort;
    this.key = key;
  }

  static Times measure(Path work, int people) throws IOException, InterruptedException {
    Path folder = Files.createDirectories(work.resolve("people"));
    int port = FreePorts.take();
    Build build = Build.here();
    try (ServerProcess slapd = SlapdServer.start(folder, people)) {
      String realm =
          """
          idp:
            publicUrl: http://127.0.0.1:%d
            contracts:
              token: {}
          otp:
            people: {}
          %s
          """
              .formatted(port, GatehouseNode.directory(slapd.port(), "uid: uid, cn: cn"));
      GatehouseNode.Configured configured =
          GatehouseNode.configure("node", folder, "[idp]", GatehouseNode.listener("idp", port), "", port, Map.of(OtpPeople.REALM, realm));
      try (GatehouseNode node = configured.start(build).await();
          HttpClient http = HttpClient.newHttpClient()) {
        String printed = Commands.output(build.command("keys", "admin", "--name", "bench", "--config", configured.config().toString()));
        String key = printed.lines().filter(line -> line.startsWith("gha_")).findFirst().orElseThrow(() -> new IOException(printed));
        PeopleImport administrator = new PeopleImport(http, configured.adminPort(), key);
        return new Times(people, administrator.synchronise(people), administrator.synchronise(0));
      }
    }
  }

  /** @param added how many people have to be new */
  private double synchronise(int added) throws IOException, InterruptedException {
    long begun = System.nanoTime();
    JsonNode job = ask("POST", "realms/" + OtpPeople.REALM + "/token-people/synchronise");
    while (job.path("state").asString("").equals("running")) {
      Thread.sleep(BETWEEN_MILLIS);
      job = ask("GET", "jobs/" + job.path("id").asString(""));
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    if (job.path("result").path("added").asInt(-1) != added) {
      throw new IOException("not the expected synchronisation: " + job);
    }
    return seconds;
  }

  private JsonNode ask(String method, String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + adminPort + "/admin/v1/" + path))
            .header("Authorization", "Bearer " + key)
            .method(method, BodyPublishers.noBody())
            .build();
    HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
    if (response.statusCode() >= 300) {
      throw new IOException(path + ": status " + response.statusCode());
    }
    return Report.JSON.readTree(response.body());
  }
}
