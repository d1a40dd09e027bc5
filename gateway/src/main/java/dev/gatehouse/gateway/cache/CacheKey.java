package dev.gatehouse.gateway.cache;

import dev.gatehouse.common.http.Origin;

/**
 * Under which what was answered to GET is kept: the address as the client wrote it, its path normalised. Route, roles and
 * Vary are told apart below it, so that an address can be dropped as one.
 *
 * @param target path and query
 */
public record CacheKey(Origin origin, String target) {

  /** Of the request that is served. @param query with its question mark; empty where there is none */
  public static CacheKey of(Origin origin, String path, String query) {
    return new CacheKey(origin, query.isEmpty() ? path : path.concat(query));
  }

  @Override
  public int hashCode() {
    return target.hashCode() * 31 + origin.host().hashCode() + origin.port();
  }
}
