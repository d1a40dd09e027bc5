package dev.gatehouse.gateway.cache;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.message.ResponseHead;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The addresses whose stored responses an unsafe request invalidates: its own, and those at the same origin that the
 * response's Location and Content-Location name.
 */
public final class UnsafeRequest {

  private UnsafeRequest() {}

  /** @param query with its question mark; empty if there is none */
  public static List<CacheKey> changed(Origin origin, String path, String query, ResponseHead response) {
    List<CacheKey> keys = new ArrayList<>();
    keys.add(CacheKey.of(origin, path, query));
    for (String name : List.of("location", "content-location")) {
      HeadFields.only(response.fields(), name).flatMap(to -> sameOrigin(origin, path + query, to)).ifPresent(keys::add);
    }
    return keys;
  }

  private static Optional<CacheKey> sameOrigin(Origin origin, String target, String reference) {
    try {
      URI to = new URI(origin + target).resolve(new URI(reference));
      if (to.getHost() == null || to.getRawPath() == null || !Origin.of(to).equals(origin)) {
        return Optional.empty();
      }
      String query = to.getRawQuery() == null ? "" : "?" + to.getRawQuery();
      return Optional.of(CacheKey.of(origin, to.getRawPath(), query));
    } catch (URISyntaxException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
