package dev.gatehouse.gateway.revision;

import dev.gatehouse.common.realm.yaml.FileTree;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Calls {@code /admin/v1/revisions} of a running node. */
public final class RevisionClient {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** The node did not do it; the message says why. */
  public static final class Failed extends RuntimeException {
    private static final long serialVersionUID = 1;

    Failed(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * A file of a revision.
   *
   * @param secret whether its content is not known
   * @param text the content of a text
   * @param base64 the content of anything else
   */
  public record ExportedFile(String path, boolean secret, Optional<String> text, Optional<String> base64) {}

  private record Files(List<ExportedFile> files) {}

  private record Entry(long number) {}

  private record Page(List<Entry> revisions, long inUse) {}

  private record Detail(Optional<String> detail) {}

  private final URI node;
  private final HttpClient http;
  private final String key;

  /**
   * @param node the origin of its admin listener
   * @param key an administrator key
   */
  public RevisionClient(URI node, HttpClient http, String key) {
    this.node = node;
    this.http = http;
    this.key = key;
  }

  /** Returns the effect of proposed files. */
  public PlannedChange plan(ProposedFolder proposed) {
    return answer(post("?dryRun=true", proposed, "-").build(), Set.of(200, 422), PlannedChange.class);
  }

  /**
   * Brings proposed files into use.
   *
   * @param expected the revision that they were made for
   */
  public PlannedChange apply(ProposedFolder proposed, long expected, String reason) {
    HttpRequest.Builder request = post("", proposed, reason).header("If-Match", "\"" + expected + "\"");
    return answer(request.build(), Set.of(200, 201, 422), PlannedChange.class);
  }

  /** Brings the files of a revision back into use. */
  public PlannedChange rollBack(long number, long expected, Optional<String> reason) {
    String query = reason.map(why -> "?reason=" + URLEncoder.encode(why, StandardCharsets.UTF_8)).orElse("");
    HttpRequest.Builder request =
        request("/" + number + "/rollback" + query).header("If-Match", "\"" + expected + "\"").POST(BodyPublishers.noBody());
    return answer(request.build(), Set.of(200, 201, 422), PlannedChange.class);
  }

  /** Returns the number of the revision in use; 0 if none is stored yet. */
  public long inUse() {
    return answer(request("?limit=1").build(), Set.of(200), Page.class).inUse();
  }

  private HttpRequest.Builder post(String query, ProposedFolder proposed, String reason) {
    Map<String, Object> body =
        Map.of("complete", proposed.isComplete(), "files", files(proposed.files()), "secrets", secrets(proposed.secrets()), "reason", reason);
    return request(query)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
  }

  private static List<Map<String, String>> secrets(Map<String, byte[]> secrets) {
    return secrets.entrySet().stream()
        .map(secret -> Map.of("name", secret.getKey(), "base64", Base64.getEncoder().encodeToString(secret.getValue())))
        .toList();
  }

  /** Returns the number of the newest revision; empty if there is none yet. */
  public Optional<Long> latest() {
    return answer(request("?limit=1").build(), Set.of(200), Page.class).revisions().stream().map(Entry::number).findFirst();
  }

  /** Returns the files of a revision. */
  public List<ExportedFile> files(long number) {
    return answer(request("/" + number + "/files").build(), Set.of(200), Files.class).files();
  }

  private HttpRequest.Builder request(String below) {
    return HttpRequest.newBuilder(node.resolve("/admin/v1/revisions" + below))
        .timeout(TIMEOUT)
        .header("Authorization", "Bearer " + key);
  }

  private <T> T answer(HttpRequest request, Set<Integer> expected, Class<T> type) {
    HttpResponse<byte[]> response = sent(request);
    try {
      if (!expected.contains(response.statusCode())) {
        Optional<String> detail = JSON.readValue(response.body(), Detail.class).detail();
        throw new Failed("The node refuses: " + detail.orElse("status " + response.statusCode()));
      }
      return JSON.readValue(response.body(), type);
    } catch (JacksonException e) {
      throw new Failed(node + " does not answer as a node of Gatehouse does.");
    }
  }

  private HttpResponse<byte[]> sent(HttpRequest request) {
    try {
      return http.send(request, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new Failed("The node at " + node + " does not answer: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Failed("Interrupted.");
    }
  }

  private static List<Map<String, String>> files(FileTree tree) {
    List<Map<String, String>> files = new ArrayList<>();
    tree.files()
        .forEach(
            (path, file) ->
                files.add(
                    file.text()
                        .map(text -> Map.of("path", path, "text", text))
                        .orElseGet(() -> Map.of("path", path, "base64", Base64.getEncoder().encodeToString(file.content())))));
    return files;
  }
}
