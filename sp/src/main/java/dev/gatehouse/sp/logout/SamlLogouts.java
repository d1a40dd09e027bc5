package dev.gatehouse.sp.logout;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LogoutMarks;

/** Ends the sessions that an identity provider's LogoutRequest names. */
final class SamlLogouts {

  private final AppSessions sessions;
  private final LogoutMarks marks;

  SamlLogouts(AppSessions sessions, LogoutMarks marks) {
    this.sessions = sessions;
    this.marks = marks;
  }

  void end(SpRealm realm, EdgeRequest request, LogoutRequest message) {
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), request.client());
    // The mark comes before the lookup: a login that is being opened at this moment either sees the mark or is found.
    marks.mark(realm.name(), realm.sp(), message);
    for (AppSession session :
        sessions.named(realm.name(), message.issuer(), message.nameId(), message.sessionIndexes())) {
      sessions.end(session.id(), "partner", context);
    }
  }
}
