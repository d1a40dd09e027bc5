package dev.gatehouse.common.realm;

import java.net.URI;
import java.util.List;

/**
 * The servers of one app.
 *
 * @param servers origins with an optional base path, all alike; at least one
 */
public record UpstreamConfig(List<URI> servers) {

  public UpstreamConfig {
    servers = List.copyOf(servers);
    if (servers.isEmpty()) {
      throw new IllegalArgumentException("an app has at least one server");
    }
  }

  /** One server, and nothing special about it. */
  public static UpstreamConfig of(URI server) {
    return new UpstreamConfig(List.of(server));
  }
}
