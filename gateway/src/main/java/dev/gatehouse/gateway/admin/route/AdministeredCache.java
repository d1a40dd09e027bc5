package dev.gatehouse.gateway.admin.route;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.cache.CacheKey;
import dev.gatehouse.gateway.cache.ResponseCache;
import dev.gatehouse.gateway.route.RequestPath;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The gateway's cache for administrators. */
public final class AdministeredCache implements AdminResource.Responses {

  private final ResponseCache cache;

  public AdministeredCache(ResponseCache cache) {
    this.cache = cache;
  }

  @Override
  public AdminResource.CacheView statistics(String realm) {
    ResponseCache.Stats stats = cache.stats(realm);
    return new AdminResource.CacheView(
        stats.responses(), stats.bytes(), stats.memory(), stats.hits(), stats.misses(), stats.stored(), stats.evicted());
  }

  @Override
  public Optional<Integer> dropUrl(String realm, String url) {
    return key(url).map(key -> cache.purge(key, realm));
  }

  /** The cache key of a URL, normalised as the URL of a request is. */
  private static Optional<CacheKey> key(String url) {
    try {
      URI uri = new URI(url);
      Origin origin = Origin.of(uri);
      byte[] path = (uri.getRawPath().isEmpty() ? "/" : uri.getRawPath()).getBytes(StandardCharsets.ISO_8859_1);
      String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
      return RequestPath.of(path, 0, path.length).map(normal -> CacheKey.of(origin, normal.value(), query));
    } catch (URISyntaxException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  @Override
  public int dropTag(String realm, String tag) {
    return cache.purgeTag(realm, tag);
  }

  @Override
  public int dropRoute(String realm, String route) {
    return cache.purgeRoute(realm, route);
  }

  @Override
  public int dropAll(String realm) {
    return cache.purgeRealm(realm);
  }
}
