package dev.gatehouse.common.analytics.collect;

import dev.gatehouse.common.throttle.RepeatedTask;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread of a node's analytics. */
public final class AnalyticsFollower implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AnalyticsFollower.class);

  /** With a page that asks each second, the live chart is less than two seconds behind. */
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final Analytics analytics;
  private final RepeatedTask thread;

  public AnalyticsFollower(Analytics analytics) {
    this.analytics = analytics;
    this.thread = RepeatedTask.every(PAUSE, "analytics", "Analytics cannot be counted or stored", analytics::follow);
  }

  @Override
  public void close() {
    thread.close();
    try {
      analytics.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("The last seconds of analytics could not be stored; those of the audit log are counted at the next start", e);
    }
  }
}
