package dev.gatehouse.gateway.filter;

import dev.gatehouse.common.http.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rewrites an app's links and cookies for the client: Location, Content-Location (RFC 9110, sections 10.2.2 and 8.7),
 * Refresh, and the Path and Domain of cookies (RFC 6265, section 4.1.2). Links that do not lead to the app are not
 * changed.
 *
 * @param origin the origin that the client used
 * @param apps the origins of the app's servers
 * @param paths includes the app's base path
 * @param cookies whether cookies are rewritten, too
 */
record Links(Origin origin, Set<Origin> apps, PathMapping paths, boolean links, boolean cookies) {

  private static final Pattern ABSOLUTE = Pattern.compile("(?i)(https?:)?//([^/?#\\\\@]+)([^?#]*)(.*)", Pattern.DOTALL);
  private static final Pattern REFRESH = Pattern.compile("(?i)(\\s*[0-9.]+\\s*[;,]\\s*url\\s*=\\s*)(['\"]?)(.*?)(\\2\\s*)");

  /** Rewrites the value of a Location or Content-Location field. */
  String location(String value) {
    if (value.startsWith("/") && !value.startsWith("//")) {
      return paths.toClient(value);
    }
    Matcher url = ABSOLUTE.matcher(value);
    if (!url.matches() || !leadsHere(url.group(1), url.group(2))) {
      return value;
    }
    String path = url.group(3).isEmpty() ? "/" : url.group(3);
    if (!paths.isInside(path)) {
      return value;
    }
    String mapped = paths.toClient(path + url.group(4));
    return origin + (mapped.startsWith("//") ? mapped.substring(1) : mapped);
  }

  String refresh(String value) {
    Matcher refresh = REFRESH.matcher(value);
    return refresh.matches()
        ? refresh.group(1) + refresh.group(2) + location(refresh.group(3)) + refresh.group(4)
        : value;
  }

  /**
   * Returns whether a URL leads to a server of the app, or to the origin that the client used, even if the app assumed http.
   */
  private boolean leadsHere(String scheme, String authority) {
    String named = scheme == null ? origin.scheme() : scheme.substring(0, scheme.length() - 1).toLowerCase(Locale.ROOT);
    if (authority.equalsIgnoreCase(origin.authority())) {
      return origin.isSecure() || named.equals("http");
    }
    try {
      return apps.contains(Origin.of(new java.net.URI(named + "://" + authority)));
    } catch (java.net.URISyntaxException | IllegalArgumentException e) {
      return false;
    }
  }

  /** Rewrites the value of a Set-Cookie field. */
  String cookie(String value) {
    String[] parts = value.split(";", -1);
    boolean hostPrefix = parts[0].strip().toLowerCase(Locale.ROOT).startsWith("__host-");
    List<String> rewritten = new ArrayList<>(parts.length);
    rewritten.add(parts[0]);
    for (int i = 1; i < parts.length; i++) {
      String[] attribute = parts[i].strip().split("=", 2);
      switch (attribute[0].strip().toLowerCase(Locale.ROOT)) {
        case "domain" -> {}
        case "path" -> rewritten.add(hostPrefix ? parts[i] : " Path=" + path(attribute.length < 2 ? "" : attribute[1].strip()));
        case String other -> rewritten.add(parts[i]);
      }
    }
    return String.join(";", rewritten);
  }

  /** A path wider than the app becomes the app's own: an app must not set cookies for its neighbours. */
  private String path(String value) {
    if (value.startsWith("/") && paths.isInside(value)) {
      return paths.toClient(value);
    }
    return paths.isSame() ? value : paths.outside() + "/";
  }
}
