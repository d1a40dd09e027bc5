package dev.gatehouse.gateway.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * The administration of a node, for the time of one command.
 *
 * @param address the origin of its admin listener
 * @param key an administrator key
 * @param end ends the connection
 */
public record NodeApi(URI address, HttpClient http, String key, Runnable end) implements AutoCloseable {

  /** Builds a request to a path below the origin. */
  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address + path)).header("Authorization", "Bearer " + key);
  }

  HttpResponse<InputStream> send(HttpRequest request) throws IOException {
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
