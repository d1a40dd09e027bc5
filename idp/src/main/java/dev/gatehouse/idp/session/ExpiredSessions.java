package dev.gatehouse.idp.session;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.session.SessionStore;
import java.util.List;
import java.util.Optional;

/** Ends expired IdpSessions, and has their participants notified. */
final class ExpiredSessions {

  private final SessionStore<IdpSession> store;
  private final EndNotices notices;
  private final AuditLog audit;

  ExpiredSessions(SessionStore<IdpSession> store, EndNotices notices, AuditLog audit) {
    this.store = store;
    this.notices = notices;
    this.audit = audit;
  }

  /** Ends up to {@code most}; returns the number that it found. */
  int end(int most) {
    List<IdpSession> expired = store.expired(most);
    for (IdpSession session : expired) {
      notices.keep(session, EndCause.EXPIRED);
      Optional<IdpSession> ended = store.endExpired(session.id());
      if (ended.isPresent()) {
        notices.release(ended.get(), EndCause.EXPIRED);
        audit.record(EndCause.EXPIRED.event(new AuditEvent.Context(session.realm(), "-", Optional.empty()), ended.get()));
      } else if (store.find(session.id()).isPresent()) {
        goesOn(session);
      }
    }
    return expired.size();
  }

  /** Somebody used the session at another node meanwhile. Should it end just now, its participants are notified rather twice than never. */
  private void goesOn(IdpSession session) {
    notices.withdraw(session);
    if (store.find(session.id()).isEmpty()) {
      notices.release(session, EndCause.EXPIRED);
    }
  }
}
