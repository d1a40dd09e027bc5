package dev.gatehouse.gateway.rotation;

import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.common.key.RotationStep;
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
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Steps at a running node by its REST interface, because its process alone can write its audit log. */
public final class RunningNodeSteps implements KeySteps {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final JsonMapper JSON = JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private record Keys(Optional<List<ListedKey>> keys) {}

  private record Problem(Optional<String> detail) {}

  private final URI node;
  private final HttpClient http;
  private final String key;
  private final String realm;
  private final KeyUse use;

  /**
   * @param node the origin of its admin listener
   * @param key an administrator key
   */
  public RunningNodeSteps(URI node, HttpClient http, String key, String realm, KeyUse use) {
    this.node = node;
    this.http = http;
    this.key = key;
    this.realm = realm;
    this.use = use;
  }

  @Override
  public List<ListedKey> take(RotationStep step) {
    String path = "/admin/v1/realms/" + encoded(realm) + "/keys/" + use.name() + operation(step);
    HttpRequest request =
        HttpRequest.newBuilder(node.resolve(path))
            .timeout(TIMEOUT)
            .header("Authorization", "Bearer " + key)
            .POST(BodyPublishers.noBody())
            .build();
    try {
      HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
      if (response.statusCode() / 100 != 2) {
        Optional<String> detail = JSON.readValue(response.body(), Problem.class).detail();
        throw new Refused(detail.orElse("The node answers with status " + response.statusCode() + "."));
      }
      return JSON.readValue(response.body(), Keys.class).keys().orElseThrow(this::foreign);
    } catch (IOException e) {
      throw new Refused(
          "The node at " + node + " does not answer: " + e.getMessage() + ". Whether it took the step, ./gatehouse keys list says.");
    } catch (JacksonException e) {
      throw foreign();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused("Interrupted.");
    }
  }

  private Refused foreign() {
    return new Refused(node + " does not answer as a node of Gatehouse does.");
  }

  private static String operation(RotationStep step) {
    return switch (step) {
      case PREPARE -> "/next";
      case PROMOTE -> "/promote?now=true";
      case RETIRE -> "/retire?now=true";
    };
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
