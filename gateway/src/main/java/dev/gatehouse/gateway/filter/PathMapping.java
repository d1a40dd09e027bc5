package dev.gatehouse.gateway.filter;

import dev.gatehouse.common.realm.RewriteConfig.Paths;

/**
 * Maps paths between the outside and the app. Works on normalised paths, so that an authorized path maps to exactly one
 * path of the app, and no path leads out of the app's base.
 *
 * @param outside without its last slash, so possibly empty
 * @param inside likewise
 */
record PathMapping(String outside, String inside) {

  static final PathMapping SAME = new PathMapping("", "");

  static PathMapping of(Paths paths) {
    return new PathMapping(open(paths.from()), open(paths.to()));
  }

  /** A copy for an app with a base path, which the sender of the request adds. */
  PathMapping withBase(String basePath) {
    return new PathMapping(outside, basePath + inside);
  }

  boolean isSame() {
    return outside.equals(inside);
  }

  /** The app's path for a normalised path that the route covers. */
  String toApp(String path) {
    if (isSame()) {
      return path;
    }
    if (!covers(outside, path)) {
      throw new IllegalStateException("a route's path begins with what its rewriting replaces");
    }
    return rooted(inside + path.substring(outside.length()));
  }

  /**
   * The outside path for a path of the app, which may be followed by query and fragment; unchanged if it does not
   * belong to the app.
   */
  String toClient(String pathAndMore) {
    int end = pathAndMore.length();
    for (int i = 0; i < end; i++) {
      char c = pathAndMore.charAt(i);
      if (c == '?' || c == '#') {
        end = i;
      }
    }
    String path = pathAndMore.substring(0, end);
    if (isSame() || !covers(inside, path)) {
      return pathAndMore;
    }
    return rooted(outside + path.substring(inside.length())) + pathAndMore.substring(end);
  }

  /** Returns whether the path belongs to the app. */
  boolean isInside(String path) {
    return covers(inside, path);
  }

  private static boolean covers(String prefix, String path) {
    return path.startsWith(prefix)
        && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
  }

  /** Normalises to one leading slash: two would make a link to another host. */
  private static String rooted(String path) {
    int slashes = 0;
    while (slashes < path.length() && (path.charAt(slashes) == '/' || path.charAt(slashes) == '\\')) {
      slashes++;
    }
    return slashes == 1 && path.charAt(0) == '/' ? path : "/" + path.substring(slashes);
  }

  private static String open(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
