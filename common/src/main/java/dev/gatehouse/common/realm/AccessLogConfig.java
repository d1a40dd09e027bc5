package dev.gatehouse.common.realm;

import java.nio.file.Path;

/**
 * One line per request.
 *
 * @param query whether queries of requests to apps are written too; they may carry secrets
 * @param maxFileBytes the file is rotated at this size; 0 for never
 * @param keep rotated files that are kept
 */
public record AccessLogConfig(Path file, Format format, boolean query, long maxFileBytes, int keep) {

  /** How a line is written. */
  public enum Format {
    /** One JSON object. */
    JSON,
    /** The combined format of Apache httpd and nginx. */
    COMBINED
  }
}
