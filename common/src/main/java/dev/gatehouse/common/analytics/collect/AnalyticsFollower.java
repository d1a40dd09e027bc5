package dev.gatehouse.common.analytics.collect;

import dev.gatehouse.common.throttle.RepeatedTask;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of a node's analytics: one counts and stores, the other looks for unusual patterns. */
public final class AnalyticsFollower implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(AnalyticsFollower.class);

  /** With a page that asks each second, the live chart is less than two seconds behind. */
  private static final Duration PAUSE = Duration.ofMillis(250);

  private final Analytics analytics;
  private final RepeatedTask thread;
  private final RepeatedTask patterns;

  public AnalyticsFollower(Analytics analytics) {
    this.analytics = analytics;
    this.thread = RepeatedTask.every(PAUSE, "analytics", "Analytics cannot be counted or stored", analytics::follow);
    this.patterns =
        RepeatedTask.every(
            Analytics.STORED_EVERY, "unusual-logins", "Unusual logins cannot be looked for", analytics::lookForPatterns);
  }

  @Override
  public void close() {
    patterns.close();
    thread.close();
    try {
      analytics.close();
    } catch (IOException | RuntimeException e) {
      LOG.warn("The last seconds of analytics could not be stored; those of the audit log are counted at the next start", e);
    }
  }
}
