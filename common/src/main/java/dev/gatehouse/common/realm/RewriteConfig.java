package dev.gatehouse.common.realm;

import java.util.Optional;

/**
 * The changes to paths, links and cookies between the client and the app.
 *
 * @param paths how the app's paths are called outside; unchanged if empty
 * @param links whether Location, Content-Location and Refresh are translated to outside addresses
 * @param cookies whether the Path of cookies is translated and their Domain removed
 */
public record RewriteConfig(Optional<Paths> paths, boolean links, boolean cookies) {

  /** Unchanged paths. */
  public static final RewriteConfig NONE = new RewriteConfig(Optional.empty(), true, true);

  /**
   * A prefix of paths and its replacement for the app; both begin and end with a slash.
   *
   * @param from covers the route's path
   */
  public record Paths(String from, String to) {}
}
