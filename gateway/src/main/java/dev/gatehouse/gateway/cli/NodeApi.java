package dev.gatehouse.gateway.cli;

import dev.gatehouse.common.request.RequestId;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
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

  private static final int NO_CONTENT = 204;

  /**
   * Calls the node for something whose result has no content (status 204).
   *
   * @throws NodeCallFailed if it did not do it
   */
  public void call(NodeCall call) {
    int status = result(call).statusCode();
    if (status != NO_CONTENT) {
      throw NodeCallFailed.foreign(address, status);
    }
  }

  /**
   * Calls the node, and returns its answer.
   *
   * @throws NodeCallFailed if it did not do it
   */
  public <T> T call(NodeCall call, Class<T> type) {
    HttpResponse<byte[]> response = result(call);
    return read(response.statusCode(), response.body(), type);
  }

  private HttpResponse<byte[]> result(NodeCall call) {
    HttpResponse<byte[]> response = answer(call);
    if (!call.isResult(response.statusCode())) {
      throw refusal(response.statusCode(), response.body());
    }
    if (!isOurs(response)) {
      throw NodeCallFailed.foreign(address, response.statusCode());
    }
    return response;
  }

  /**
   * A node sends the id of the request with each response. A success that a proxy, or another server at this address, answers has none of
   * this form.
   */
  private static boolean isOurs(HttpResponse<?> response) {
    return response.headers().firstValue(RequestId.FIELD).filter(RequestId::isCreated).isPresent();
  }

  private HttpResponse<byte[]> answer(NodeCall call) {
    HttpRequest.Builder request = request(call.path()).timeout(call.timeout());
    call.body().ifPresent(body -> request.header("Content-Type", "application/json"));
    call.revision().ifPresent(number -> request.header(ApiOperation.IF_MATCH, "\"" + number + "\""));
    request.method(
        call.method(),
        call.body().map(body -> BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))).orElseGet(BodyPublishers::noBody));
    return answer(request.build(), BodyHandlers.ofByteArray());
  }

  private <T> HttpResponse<T> answer(HttpRequest request, BodyHandler<T> handler) {
    try {
      return http.send(request, handler);
    } catch (IOException e) {
      throw NodeCallFailed.unanswered(address, e, request.timeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw NodeCallFailed.interrupted();
    }
  }

  private NodeCallFailed refusal(int status, byte[] body) {
    return NodeCallFailed.answered(status, read(status, body, NodeCallFailed.Problem.class));
  }

  private <T> T read(int status, byte[] body, Class<T> type) {
    try {
      return Optional.ofNullable(JSON.readValue(body, type)).orElseThrow(() -> NodeCallFailed.foreign(address, status));
    } catch (JacksonException e) {
      throw NodeCallFailed.foreign(address, status);
    }
  }

  /**
   * Reads what is there, for an answer that is not JSON or has no bounds, and returns it while it comes.
   *
   * @param path below the origin, with the query
   * @throws NodeCallFailed if it is no result
   */
  public HttpResponse<InputStream> stream(String path) {
    HttpResponse<InputStream> response = send(request(path).build());
    if (response.statusCode() / 100 == 2) {
      return response;
    }
    try (InputStream body = response.body()) {
      throw refusal(response.statusCode(), body.readAllBytes());
    } catch (IOException e) {
      throw NodeCallFailed.unanswered(address, e, Optional.empty());
    }
  }

  /** Builds a request to a path below the origin. */
  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address + path)).header("Authorization", "Bearer " + key);
  }

  /**
   * Sends a request, and returns the answer, which may be a refusal, while it comes.
   *
   * @throws NodeCallFailed if there is none, or a success that is not the node's
   */
  HttpResponse<InputStream> send(HttpRequest request) {
    HttpResponse<InputStream> response = answer(request, BodyHandlers.ofInputStream());
    if (ResponseOutput.isSuccess(response) && !isOurs(response)) {
      leave(response);
      throw NodeCallFailed.foreign(address, response.statusCode());
    }
    return response;
  }

  /** Ends an answer that nobody reads: the connection would stay open for it. */
  private static void leave(HttpResponse<InputStream> response) {
    try {
      response.body().close();
    } catch (IOException e) {
      // It has ended.
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
