package dev.gatehouse.gateway.administrator;

import dev.gatehouse.common.key.AdministratorGrant;
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
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Changes at a running node by its REST interface, because its database is open in its process. */
public final class RunningNodeChanges implements AdministratorChanges {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private record Problem(Optional<String> detail) {}

  private final URI node;
  private final HttpClient http;
  private final String key;

  /**
   * @param node the origin of its admin listener
   * @param key an administrator key
   */
  public RunningNodeChanges(URI node, HttpClient http, String key) {
    this.node = node;
    this.http = http;
    this.key = key;
  }

  @Override
  public void grant(String person, AdministratorGrant grant, Optional<Instant> expiresAt, boolean evenLast) {
    Map<String, String> body = new TreeMap<>(Map.of("role", grant.role().word()));
    expiresAt.ifPresent(end -> body.put("expiresAt", end.toString()));
    send(
        request(person, grant.realm(), evenLast)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)))
            .build());
  }

  @Override
  public void revoke(String person, Optional<String> realm, boolean evenLast) {
    send(request(person, realm, evenLast).DELETE().build());
  }

  private HttpRequest.Builder request(String person, Optional<String> realm, boolean evenLast) {
    String query = "?evenLast=" + evenLast + realm.map(name -> "&realm=" + encoded(name)).orElse("");
    return HttpRequest.newBuilder(node.resolve("/admin/v1/administrators/" + encoded(person) + query))
        .timeout(TIMEOUT)
        .header("Authorization", "Bearer " + key);
  }

  private void send(HttpRequest request) {
    try {
      HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
      if (response.statusCode() / 100 != 2) {
        Optional<String> detail = JSON.readValue(response.body(), Problem.class).detail();
        throw new Refused(detail.orElse("The node answers with status " + response.statusCode() + "."));
      }
    } catch (IOException e) {
      throw new Refused("The node at " + node + " does not answer: " + e.getMessage());
    } catch (JacksonException e) {
      throw new Refused(node + " does not answer as a node of Gatehouse does.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused("Interrupted.");
    }
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
