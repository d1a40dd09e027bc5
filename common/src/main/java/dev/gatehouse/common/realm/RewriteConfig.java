package dev.gatehouse.common.realm;

import java.util.Optional;

/**
 * What is changed in paths, links and cookies between the client and the app.
 *
 * @param paths what the app's paths are called outside; the same where empty
 * @param links whether Location, Content-Location and Refresh are told in the client's words
 * @param cookies whether cookies' Path is, and their Domain removed
 */
public record RewriteConfig(Optional<Paths> paths, boolean links, boolean cookies) {

  /** Paths as they are. */
  public static final RewriteConfig NONE = new RewriteConfig(Optional.empty(), true, true);

  /**
   * A beginning of paths and what stands in its place for the app; both begin and end with a slash.
   *
   * @param from covers the route's path
   */
  public record Paths(String from, String to) {}
}
