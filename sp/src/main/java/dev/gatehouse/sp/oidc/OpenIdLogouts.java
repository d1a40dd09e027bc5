package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.sp.idtoken.VerifiedIdToken;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LogoutMarks;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Ends the sessions that a provider names, and remembers that it did: for logins that come late, whose ID token was issued before.
 */
public final class OpenIdLogouts {

  /** Stands for whoever the session is of, where a provider names {@code sid} alone. */
  private static final NameId ANYBODY = AppSessions.openIdSubject("");

  private final AppSessions sessions;
  private final LogoutMarks marks;

  public OpenIdLogouts(AppSessions sessions, LogoutMarks marks) {
    this.sessions = sessions;
    this.marks = marks;
  }

  /** @param at when the provider said so @param subject and {@code session}: at least one is there */
  void end(
      AuditEvent.Context context, String issuer, Optional<String> subject, Optional<String> session, Instant at) {
    // Before anything is looked up: a login that is being opened at this moment sees the mark or is seen.
    marks.mark(
        context.realm(),
        issuer,
        subject.map(AppSessions::openIdSubject).orElse(ANYBODY),
        session.map(List::of).orElse(List.of()),
        at);
    for (AppSession ended : sessions.ofOpenId(context.realm(), issuer, subject, session)) {
      sessions.end(ended.id(), "partner", context);
    }
  }

  /** Whether a session here is of that one of the provider's. */
  boolean isOpen(String realm, String issuer, String session) {
    return !sessions.ofOpenId(realm, issuer, Optional.empty(), Optional.of(session)).isEmpty();
  }

  /** Whether the provider has ended the session of that ID token before it was used. */
  boolean cover(String realm, VerifiedIdToken token) {
    return marks.cover(
            realm, token.issuer(), AppSessions.openIdSubject(token.subject()), token.session(), token.issuedAt())
        || token.session().isPresent()
            && marks.cover(realm, token.issuer(), ANYBODY, token.session(), token.issuedAt());
  }
}
