package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.logout.LogoutNotices;
import dev.gatehouse.common.throttle.RepeatedTask;
import dev.gatehouse.idp.session.IdpSessions;
import java.util.Optional;

/** The background work of the identity provider: ends expired sessions, and sends the notices that are due. */
public final class SessionExpiry implements AutoCloseable {

  /** The batch size for expired sessions: their notices are sent before the next batch is read. */
  private static final int EXPIRED_AT_ONCE = 256;

  private final IdpSessions sessions;
  private final LogoutNotices notices;
  private Optional<RepeatedTask> background = Optional.empty();

  public SessionExpiry(IdpSessions sessions, LogoutNotices notices) {
    this.sessions = sessions;
    this.notices = notices;
  }

  /** Starts the background work, which runs every second until {@link #close}. */
  public synchronized void start() {
    background = Optional.of(RepeatedTask.begin("idp", "Sessions cannot be ended, or logouts notified", this::tend));
  }

  /** Performs the background work once. */
  public void tend() {
    int expired;
    do {
      expired = sessions.endExpired(EXPIRED_AT_ONCE);
      notices.deliverDue();
    } while (expired == EXPIRED_AT_ONCE && !Thread.currentThread().isInterrupted());
  }

  @Override
  public synchronized void close() {
    // Notices in delivery are aborted first, so that nothing has to be waited for.
    notices.close();
    background.ifPresent(RepeatedTask::close);
  }
}
