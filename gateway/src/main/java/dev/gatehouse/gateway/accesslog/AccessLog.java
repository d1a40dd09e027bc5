package dev.gatehouse.gateway.accesslog;

import dev.gatehouse.common.node.AccessLogConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The node's access log; writes nothing if none is configured. */
public final class AccessLog implements AutoCloseable {

  private final Optional<AccessLogConfig> config;
  private final InstantSource time;
  private final @Nullable LogWriter writer;

  private AccessLog(Optional<AccessLogConfig> config, InstantSource time, @Nullable LogWriter writer) {
    this.config = config;
    this.time = time;
    this.writer = writer;
  }

  /**
   * Opens the access log.
   *
   * @throws UncheckedIOException if its file cannot be written
   */
  public static AccessLog open(Optional<AccessLogConfig> config, InstantSource time) {
    if (config.isEmpty()) {
      return new AccessLog(config, time, null);
    }
    try {
      return new AccessLog(config, time, new LogWriter(config.get()));
    } catch (IOException e) {
      throw new UncheckedIOException("the access log " + config.get().file() + " cannot be written", e);
    }
  }

  /** The lines of one event loop; null if nothing is logged. */
  public @Nullable AccessLines lines() {
    LogWriter to = writer;
    return to == null ? null : new AccessLines(to, config.orElseThrow(), time);
  }

  /** Lines that were lost because the disk was too slow or failed. */
  public long dropped() {
    return writer == null ? 0 : writer.dropped();
  }

  /** Writes all pending batches, and closes the file. */
  @Override
  public void close() {
    if (writer != null) {
      writer.close();
    }
  }
}
