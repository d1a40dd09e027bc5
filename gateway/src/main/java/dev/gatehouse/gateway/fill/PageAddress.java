package dev.gatehouse.gateway.fill;

import dev.gatehouse.common.http.Origin;

/**
 * Where a page of an app's is.
 *
 * @param origin as the browser sees it
 * @param path normalised
 * @param upstream the app as we see it: some write their own address into their pages
 * @param basePath what is put before every path for the app; empty, or without a slash at its end
 */
public record PageAddress(Origin origin, String path, Origin upstream, String basePath) {

  /** The path and query behind an absolute URL of the app's, as the browser would see them; null where it is not the app's. */
  java.util.Optional<String> within(String url) {
    String plain = url.contains("#") ? url.substring(0, url.indexOf('#')) : url;
    if (plain.equals(origin.toString()) || plain.startsWith(origin + "/") || plain.startsWith(origin + "?")) {
      return java.util.Optional.of(rooted(plain.substring(origin.toString().length())));
    }
    String app = upstream + basePath;
    if (plain.equals(app) || plain.startsWith(app + "/") || plain.startsWith(app + "?")) {
      return java.util.Optional.of(rooted(plain.substring(app.length())));
    }
    return java.util.Optional.empty();
  }

  private static String rooted(String target) {
    return target.startsWith("/") ? target : "/" + target;
  }
}
