package dev.gatehouse.gateway.filter;

import dev.gatehouse.common.realm.RewriteConfig.Paths;

/**
 * What paths are called outside, and what the app calls them. Works on normalised paths and adds nothing that a path of its own
 * had not: what was authorised is one path of the app and no other, and no path leads out of where the app's begin.
 *
 * @param outside without its last slash, and so perhaps empty
 * @param inside likewise
 */
record PathMapping(String outside, String inside) {

  static final PathMapping SAME = new PathMapping("", "");

  static PathMapping of(Paths paths) {
    return new PathMapping(open(paths.from()), open(paths.to()));
  }

  /** The same for an app whose paths all begin so; the base is put there by whoever sends the request. */
  PathMapping behind(String basePath) {
    return new PathMapping(outside, basePath + inside);
  }

  boolean isSame() {
    return outside.equals(inside);
  }

  /** The app's name for a normalised path that the route covers. */
  String toApp(String path) {
    if (isSame()) {
      return path;
    }
    if (!covers(outside, path)) {
      throw new IllegalStateException("a route's path begins with what its rewriting replaces");
    }
    return rooted(inside + path.substring(outside.length()));
  }

  /** The outside's name for a path of the app's, query and fragment still behind it; the same where it is not the app's. */
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

  /** Whether the path is one of the app's. */
  boolean isInside(String path) {
    return covers(inside, path);
  }

  private static boolean covers(String prefix, String path) {
    return path.startsWith(prefix)
        && (path.length() == prefix.length() || path.charAt(prefix.length()) == '/');
  }

  /** With one slash in front: two would be another host's name in a link. */
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
