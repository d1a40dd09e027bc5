package dev.gatehouse.common.realm;

import dev.gatehouse.common.http.Origin;
import java.time.Duration;
import java.util.Set;

/**
 * Who may open WebSockets at a route (RFC 6455).
 *
 * @param origins whose pages may, besides the request's own
 * @param idle how long nothing may come from either side
 */
public record WebSocketConfig(Set<Origin> origins, Duration idle) {

  /** Pages of the same origin. */
  public static final WebSocketConfig SAME_ORIGIN = new WebSocketConfig(Set.of(), Duration.ofMinutes(5));

  public WebSocketConfig {
    origins = Set.copyOf(origins);
  }
}
