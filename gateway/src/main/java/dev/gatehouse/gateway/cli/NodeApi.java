package dev.gatehouse.gateway.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The administration of a running node, for the time of one command.
 *
 * @param address the origin of its admin listener
 * @param key an administrator key
 * @param end ends the connection
 */
public record NodeApi(URI address, HttpClient http, String key, Runnable end) implements AutoCloseable {

  /** A value without something that it must have is not read as null: whoever sent it is no node of ours. */
  private static final JsonMapper JSON = JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES).build();

  /**
   * Calls the node; of its answer, the status alone counts.
   *
   * @throws NodeCallFailed if it did not do it
   */
  public void call(NodeCall call) {
    result(call);
  }

  /**
   * Calls the node, and returns its answer.
   *
   * @throws NodeCallFailed if it did not do it
   */
  public <T> T call(NodeCall call, Class<T> type) {
    return read(result(call), type);
  }

  private HttpResponse<byte[]> result(NodeCall call) {
    HttpResponse<byte[]> response = answer(call);
    if (!call.isResult(response.statusCode())) {
      throw NodeCallFailed.answered(response.statusCode(), read(response, NodeCallFailed.Problem.class));
    }
    return response;
  }

  private HttpResponse<byte[]> answer(NodeCall call) {
    HttpRequest.Builder request = request(call.path()).timeout(call.timeout());
    call.body().ifPresent(body -> request.header("Content-Type", "application/json"));
    call.revision().ifPresent(number -> request.header(ApiOperation.IF_MATCH, "\"" + number + "\""));
    request.method(
        call.method(),
        call.body().map(body -> BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))).orElseGet(BodyPublishers::noBody));
    try {
      return http.send(request.build(), BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw NodeCallFailed.unanswered(address, e, call.timeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw NodeCallFailed.interrupted();
    }
  }

  private <T> T read(HttpResponse<byte[]> response, Class<T> type) {
    try {
      return Optional.ofNullable(JSON.readValue(response.body(), type))
          .orElseThrow(() -> NodeCallFailed.foreign(address, response.statusCode()));
    } catch (JacksonException e) {
      throw NodeCallFailed.foreign(address, response.statusCode());
    }
  }

  /** Builds a request to a path below the origin, for an answer that is not JSON or has no bounds. */
  public HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address + path)).header("Authorization", "Bearer " + key);
  }

  /** Sends a request, and returns the answer while it comes. */
  public HttpResponse<InputStream> send(HttpRequest request) throws IOException {
    try {
      return http.send(request, BodyHandlers.ofInputStream());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted.", e);
    }
  }

  /** Does not contain the key. */
  @Override
  public String toString() {
    return "NodeApi[" + address + "]";
  }

  @Override
  public void close() {
    end.run();
  }
}
