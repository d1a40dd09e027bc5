package dev.gatehouse.gateway.cache;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.message.ResponseHead;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which addresses an unsafe request has changed: its own, and what the answer points to at the same origin. */
public final class UnsafeRequest {

  private UnsafeRequest() {}

  /** @param query with its question mark; empty where there is none */
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
