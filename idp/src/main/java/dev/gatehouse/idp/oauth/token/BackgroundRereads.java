package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.session.SessionId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the people of authorizations again while callers go on with data that still count. It has platform threads: under load a virtual
 * thread waits for all requests in turn each time that the directory, or the store, has answered.
 */
final class BackgroundRereads implements AutoCloseable {

  private static final int AT_ONCE = 4;
  private static final int MOST_WAITING = 1_000;
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundRereads.class);

  /** What waits, or is read now. */
  private final Set<SessionId> underWay = ConcurrentHashMap.newKeySet();

  private final ThreadPoolExecutor readers =
      new ThreadPoolExecutor(
          AT_ONCE, AT_ONCE, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING), Thread.ofPlatform().name("reread-", 0).daemon().factory());

  BackgroundRereads() {
    readers.allowCoreThreadTimeOut(true);
  }

  /** Has this done in the background, once for an authorization at a time. If its turn does not come, the data get old, and a caller waits. */
  void begin(SessionId authorization, Runnable reread) {
    if (!underWay.add(authorization)) {
      return;
    }
    try {
      readers.execute(() -> run(authorization, reread));
    } catch (RejectedExecutionException e) {
      // Too much waits, or the node stops.
      underWay.remove(authorization);
    }
  }

  private void run(SessionId authorization, Runnable reread) {
    try {
      reread.run();
    } catch (RuntimeException e) {
      // A caller meets the same when the data are old.
      LOG.debug("An authorization's person could not be read again in the background", e);
    } finally {
      underWay.remove(authorization);
    }
  }

  /** Begins nothing any more. What is under way ends by itself. */
  @Override
  public void close() {
    readers.shutdown();
    readers.getQueue().clear();
  }
}
