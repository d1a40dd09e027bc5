package dev.gatehouse.gateway.accesslog;

import dev.gatehouse.common.node.AccessLogConfig;
import dev.gatehouse.gateway.accesslog.LogWriter.Batch;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The access log lines of one event loop, collected in memory and passed on in batches. Used by that event loop only.
 */
public final class AccessLines {

  private final LogWriter writer;
  private final LineFormat format;
  private final InstantSource time;
  private final LineBuffer buffer = new LineBuffer(new byte[0]);
  private @Nullable Batch batch;

  AccessLines(LogWriter writer, AccessLogConfig config, InstantSource time) {
    this.writer = writer;
    this.format = new LineFormat(config.format(), config.query());
    this.time = time;
  }

  /**
   * Writes the line of a request that has ended; drops and counts it if no batch is free.
   *
   * @param now as of {@link System#nanoTime()}
   */
  public void add(AccessEntry entry, long now) {
    Batch to = batch;
    if (to == null) {
      to = writer.empty();
      if (to == null) {
        writer.drop(1);
        return;
      }
      batch = to;
      buffer.reset(to.bytes());
    }
    format.write(entry, time.millis(), now - entry.begun(), buffer);
    to.lines++;
    if (buffer.room() < LineFormat.LONGEST) {
      flush();
    }
  }

  /** Passes the current batch to the writer. */
  public void flush() {
    Batch full = batch;
    if (full != null) {
      batch = null;
      full.length = buffer.length();
      writer.take(full);
    }
  }
}
