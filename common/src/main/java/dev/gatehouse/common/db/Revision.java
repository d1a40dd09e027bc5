package dev.gatehouse.common.db;

import java.time.Instant;

/**
 * One revision of the configuration. Its parent is the one before it.
 *
 * @param number counted from 1
 * @param author who made it: the name of an administrator key, or {@code files}
 */
public record Revision(long number, String author, Instant at, String reason) {

  /** The author of revisions that were read from files. */
  public static final String FILES = "files";

  /** A file of a revision. The digest is keyed, so that it tells nothing about the content; a secret's content is not stored. */
  public record StoredFile(String path, String digest, boolean isSecret) {}

  /**
   * A named secret of the configuration, without its value.
   *
   * @param author who stored the value
   */
  public record StoredSecret(String name, String author, Instant changedAt) {}
}
