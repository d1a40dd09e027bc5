package dev.gatehouse.common.node;

import java.nio.file.Path;

/**
 * The access log: one line per request.
 *
 * @param query whether queries of requests to apps are written too; they may contain secrets
 * @param maxFileBytes the size at which the file is rotated; 0 for never
 * @param keep number of rotated files that are preserved
 */
public record AccessLogConfig(Path file, Format format, boolean query, long maxFileBytes, int keep) {

  /** The format of a line. */
  public enum Format {
    /** One JSON object. */
    JSON,
    /** The combined format of Apache httpd and nginx. */
    COMBINED
  }
}
