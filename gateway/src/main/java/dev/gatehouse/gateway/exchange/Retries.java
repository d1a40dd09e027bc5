package dev.gatehouse.gateway.exchange;

import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.Upstream;
import dev.gatehouse.gateway.upstream.UpstreamFailure;

/** Decides whether a request that failed at a server is sent again, and counts it in the app's budget of retries. */
final class Retries {

  private final Upstream app;
  private final boolean repeatable;
  private int count;
  private boolean budgeted;
  private boolean refreshed;

  /** @param repeatable whether the app may receive the request more than once */
  Retries(Upstream app, boolean repeatable) {
    this.app = app;
    this.repeatable = repeatable;
  }

  /**
   * Returns whether the same server is tried once more, on a new connection: it closed an idle connection, which is not a failure
   * of the server.
   */
  boolean refresh(boolean stale) {
    boolean again = stale && !refreshed && repeatable;
    refreshed |= again;
    return again;
  }

  /**
   * Returns whether another server is tried. This is safe if nothing was sent, or if the connection broke before any response
   * byte and the request is repeatable. {@link #ended} must follow.
   */
  boolean next(AppServer failed, UpstreamFailure failure, boolean nothingSent) {
    boolean broken = failure == UpstreamFailure.CLOSED && repeatable;
    if (count >= app.config().retries().most() || !nothingSent && !broken) {
      return false;
    }
    if (!nothingSent && !app.mayRetry()) {
      return false;
    }
    count++;
    failed.retried();
    budgeted = !nothingSent;
    return true;
  }

  /** Returns the last retry to the budget. */
  void ended() {
    if (budgeted) {
      budgeted = false;
      app.retryEnded();
    }
  }
}
