package dev.gatehouse.gateway.cache;

import dev.gatehouse.common.http.Origin;

/**
 * The key of stored responses to GET: the address as the client wrote it, with its path normalised. Route, roles and
 * Vary are distinguished below the key, so that all responses of an address can be dropped at once.
 *
 * @param target path and query
 */
public record CacheKey(Origin origin, String target) {

  /**
   * The key of a request.
   *
   * @param query with its question mark; empty if there is none
   */
  public static CacheKey of(Origin origin, String path, String query) {
    return new CacheKey(origin, query.isEmpty() ? path : path.concat(query));
  }

  @Override
  public int hashCode() {
    return target.hashCode() * 31 + origin.host().hashCode() + origin.port();
  }
}
