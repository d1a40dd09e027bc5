package dev.gatehouse.common.realm;

import dev.gatehouse.common.http.Origin;
import java.time.Duration;
import java.util.Set;

/**
 * Settings of WebSockets at a route (RFC 6455).
 *
 * @param origins whose pages may open one, in addition to the request's own
 * @param idle the longest time without data from either side
 */
public record WebSocketConfig(Set<Origin> origins, Duration idle) {

  /** Permits pages of the same origin only. */
  public static final WebSocketConfig SAME_ORIGIN = new WebSocketConfig(Set.of(), Duration.ofMinutes(5));

  public WebSocketConfig {
    origins = Set.copyOf(origins);
  }
}
