package dev.gatehouse.gateway.cache;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.message.ResponseHead;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;

/**
 * The addresses whose stored responses an unsafe request invalidates: its own, and those at the same origin that the
 * response's Location and Content-Location name.
 */
public final class UnsafeRequest {

  private UnsafeRequest() {}

  /**
   * @param query with its question mark; empty if there is none
   * @param keyed returns which part of the query of a path is part of its key
   */
  public static List<CacheKey> changed(
      Origin origin, String path, String query, ResponseHead response, BinaryOperator<String> keyed) {
    List<CacheKey> keys = new ArrayList<>();
    add(keys, origin, path, query, keyed);
    for (String name : List.of("location", "content-location")) {
      HeadFields.only(response.fields(), name)
          .flatMap(to -> sameOrigin(origin, path + query, to))
          .ifPresent(to -> add(keys, origin, to.getRawPath(), to.getRawQuery() == null ? "" : "?" + to.getRawQuery(), keyed));
    }
    return keys;
  }

  private static void add(List<CacheKey> keys, Origin origin, String path, String query, BinaryOperator<String> keyed) {
    keys.add(CacheKey.of(origin, path, query));
    String part = keyed.apply(path, query);
    if (!part.equals(query)) {
      keys.add(CacheKey.of(origin, path, part));
    }
  }

  private static Optional<URI> sameOrigin(Origin origin, String target, String reference) {
    try {
      URI to = new URI(origin + target).resolve(new URI(reference));
      boolean same = to.getHost() != null && to.getRawPath() != null && Origin.of(to).equals(origin);
      return same ? Optional.of(to) : Optional.empty();
    } catch (URISyntaxException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
