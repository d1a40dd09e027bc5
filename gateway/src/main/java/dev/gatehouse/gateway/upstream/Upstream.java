package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.http.Origin;
import java.net.URI;

/**
 * An app: its origin and the path that is put in front of every request's. Connections are shared by all routes with
 * the same origin.
 *
 * @param basePath empty, or beginning with a slash and not ending with one
 */
public record Upstream(Origin origin, String basePath) {

  /** Of an absolute http or https URL without query; throws {@link IllegalArgumentException} for anything else. */
  public static Upstream of(URI url) {
    String path = url.getRawPath() == null ? "" : url.getRawPath();
    return new Upstream(Origin.of(url), path.endsWith("/") ? path.substring(0, path.length() - 1) : path);
  }
}
