package dev.gatehouse.gateway.fill;

import dev.gatehouse.common.http.Origin;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The address of an app's page.
 *
 * @param origin as the browser sees it
 * @param path normalised
 * @param servers the addresses of the app's servers, without a slash at the end, because some apps write them into
 *     their pages
 */
public record PageAddress(Origin origin, String path, List<String> servers) {

  /** The path and query of an absolute URL, as the browser sees them; empty if the URL does not belong to the app. */
  Optional<String> within(String url) {
    String plain = url.contains("#") ? url.substring(0, url.indexOf('#')) : url;
    return Stream.concat(Stream.of(origin.toString()), servers.stream())
        .filter(base -> plain.equals(base) || plain.startsWith(base + "/") || plain.startsWith(base + "?"))
        .findFirst()
        .map(base -> rooted(plain.substring(base.length())));
  }

  private static String rooted(String target) {
    return target.startsWith("/") ? target : "/" + target;
  }
}
