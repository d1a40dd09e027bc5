package dev.gatehouse.gateway.federate;

import dev.gatehouse.common.federation.BulkFederation.Line;
import dev.gatehouse.common.federation.BulkFederation.Outcome;
import dev.gatehouse.common.federation.BulkFederation.Reason;
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
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** An end at a running node, reached through its REST API, because the node's stores are locked by its process. */
public final class RunningNodeEnd implements FederationEnd {

  /** Attempts; repeating a batch changes nothing, so a request may be repeated while a node restarts. */
  private static final int TRIES = 5;

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private record Lines(List<Line> lines) {}

  private record Answer(List<LineOutcome> outcomes) {}

  private record LineOutcome(Optional<String> nameId, boolean isNew, Optional<Reason> rejected) {
    Outcome outcome() {
      return rejected
          .<Outcome>map(Outcome.Rejected::new)
          .orElseGet(() -> new Outcome.Federated(nameId.orElseThrow(), isNew));
    }
  }

  private record Problem(Optional<String> detail) {}

  private final HttpClient http;
  private final URI address;
  private final String key;

  /**
   * @param admin origin of the node's admin listener
   * @param kind {@code names} or {@code links}
   * @param key an administrator key
   */
  public RunningNodeEnd(HttpClient http, URI admin, String realm, String kind, String partner, String key) {
    this.http = http;
    this.address =
        admin.resolve(
            "/admin/v1/realms/" + encoded(realm) + "/federation/" + kind + "/bulk?partner=" + encoded(partner));
    this.key = key;
  }

  @Override
  public List<Outcome> apply(List<Line> lines) {
    HttpRequest request =
        HttpRequest.newBuilder(address)
            .timeout(TIMEOUT)
            .header("Authorization", "Bearer " + key)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(new Lines(lines))))
            .build();
    HttpResponse<byte[]> response = sent(request);
    try {
      if (response.statusCode() != 200) {
        Optional<String> detail = JSON.readValue(response.body(), Problem.class).detail();
        throw new FederationEndFailed("The node refuses: " + detail.orElse("status " + response.statusCode()));
      }
      return JSON.readValue(response.body(), Answer.class).outcomes().stream().map(LineOutcome::outcome).toList();
    } catch (JacksonException e) {
      throw new FederationEndFailed(address.getAuthority() + " does not answer as a node of Gatehouse does.");
    }
  }

  private HttpResponse<byte[]> sent(HttpRequest request) {
    String why = "";
    for (int i = 0; i < TRIES; i++) {
      try {
        Thread.sleep(Duration.ofSeconds(i * 2L));
        HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
        if (response.statusCode() < 500) {
          return response;
        }
        why = "status " + response.statusCode();
      } catch (IOException e) {
        why = String.valueOf(e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new FederationEndFailed("Interrupted.");
      }
    }
    throw new FederationEndFailed("The node at " + address.getAuthority() + " does not do it: " + why);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
