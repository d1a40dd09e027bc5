package dev.gatehouse.gateway.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Starts a job of a node, and waits for its end. */
final class NodeJobs {

  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration BETWEEN = Duration.ofMillis(300);

  private NodeJobs() {}

  /**
   * Returns the job as it ended; without {@code result} if it did not succeed, and with {@code problem} if the node says why.
   *
   * @param start the request that starts it
   * @param progress learns how far it is
   */
  static JsonNode run(NodeApi node, HttpRequest.Builder start, Consumer<JsonNode> progress) throws IOException {
    JsonNode job = answer(node, start);
    while (job.path("state").asString("").equals("running")) {
      progress.accept(job.path("progress"));
      pause();
      job = answer(node, node.request("/admin/v1/jobs/" + job.path("id").asString("")));
    }
    return job;
  }

  /** Returns why a job has no result. */
  static String problem(JsonNode job) {
    return SafeText.line(job.path("problem").asString("The job was " + job.path("state").asString("") + "."));
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(BETWEEN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted; the job goes on at the node.", e);
    }
  }

  static JsonNode answer(NodeApi node, HttpRequest.Builder request) throws IOException {
    HttpResponse<InputStream> response = node.send(request.build());
    try (InputStream in = response.body()) {
      JsonNode answer = JSON.readTree(in);
      return response.statusCode() < 300
          ? answer
          : JSON.createObjectNode().put("problem", answer.path("detail").asString(answer.path("title").asString("")));
    }
  }
}
