package dev.gatehouse.perf.otp;

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
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/** An administrator, who asks a node by REST. */
final class AdminCalls implements AutoCloseable {

  private static final long BETWEEN_MILLIS = 50;

  private final HttpClient http = HttpClient.newHttpClient();
  private final String origin;
  private final String key;

  private AdminCalls(String origin, String key) {
    this.origin = origin;
    this.key = key;
  }

  /** Makes a key at a node that runs. */
  static AdminCalls at(Build build, GatehouseNode.Configured node) throws IOException, InterruptedException {
    String printed = Commands.output(build.command("keys", "admin", "--name", "bench", "--config", node.config().toString()));
    String key = printed.lines().filter(line -> line.startsWith("gha_")).findFirst().orElseThrow(() -> new IOException(printed));
    return new AdminCalls("http://127.0.0.1:" + node.adminPort(), key);
  }

  HttpClient http() {
    return http;
  }

  String origin() {
    return origin;
  }

  String key() {
    return key;
  }

  /** @param path below {@code /admin/v1/} */
  JsonNode ask(String method, String path) throws IOException, InterruptedException {
    return ask(method, path, "");
  }

  /** @param body JSON, or empty */
  JsonNode ask(String method, String path, String body) throws IOException, InterruptedException {
    HttpRequest.Builder request = request(path);
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    HttpResponse<byte[]> response =
        http.send(
            request.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)).build(),
            BodyHandlers.ofByteArray());
    if (response.statusCode() >= 300) {
      throw new IOException(method + " " + path + ": status " + response.statusCode() + " " + new String(response.body(), StandardCharsets.UTF_8));
    }
    return response.body().length == 0 ? Report.JSON.createObjectNode() : Report.JSON.readTree(response.body());
  }

  /** Replaces what is at the path, as somebody does who has just read it. */
  void change(String path, String body) throws IOException, InterruptedException {
    HttpResponse<Void> read = http.send(request(path).build(), BodyHandlers.discarding());
    String version = read.headers().firstValue("ETag").orElseThrow(() -> new IOException(path + ": status " + read.statusCode()));
    HttpRequest change =
        request(path).header("If-Match", version).header("Content-Type", "application/json").PUT(BodyPublishers.ofString(body)).build();
    HttpResponse<String> changed = http.send(change, BodyHandlers.ofString());
    if (changed.statusCode() != 200) {
      throw new IOException("PUT " + path + ": status " + changed.statusCode() + " " + changed.body());
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(origin + "/admin/v1/" + path)).header("Authorization", "Bearer " + key);
  }

  /** Starts a job, and waits until it has ended. Returns its result; throws if it failed. */
  JsonNode job(String path, String body) throws IOException, InterruptedException {
    JsonNode job = ask("POST", path, body);
    while (job.path("state").asString("").equals("running")) {
      Thread.sleep(BETWEEN_MILLIS);
      job = ask("GET", "jobs/" + job.path("id").asString(""));
    }
    if (job.path("problem").isString()) {
      throw new IOException(path + ": " + job);
    }
    return job.path("result");
  }

  @Override
  public void close() {
    http.close();
  }
}
