package dev.gatehouse.sp.oidc;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.sp.idtoken.VerifiedIdToken;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LogoutMarks;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Ends the sessions that a provider names, and stores a mark, so that logins that arrive late with an ID token issued
 * before are refused too.
 */
public final class OpenIdLogouts {

  /** The name in a mark if a provider sends only {@code sid}: stands for any person. */
  private static final NameId ANYBODY = AppSessions.openIdSubject("");

  private final AppSessions sessions;
  private final LogoutMarks marks;

  public OpenIdLogouts(AppSessions sessions, LogoutMarks marks) {
    this.sessions = sessions;
    this.marks = marks;
  }

  /**
   * @param subject {@code sub}; at least one of it and {@code session} is present
   * @param at the time at which the provider ended them
   */
  void end(
      AuditEvent.Context context, String issuer, Optional<String> subject, Optional<String> session, Instant at) {
    // The mark comes before the lookup: a login that is being opened at this moment either sees the mark or is found.
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

  /** Returns whether a session here belongs to this session of the provider. */
  boolean isOpen(String realm, String issuer, String session) {
    return !sessions.ofOpenId(realm, issuer, Optional.empty(), Optional.of(session)).isEmpty();
  }

  /** Returns whether the provider ended the session of the ID token before the token was used. */
  boolean cover(String realm, VerifiedIdToken token) {
    return marks.cover(
            realm, token.issuer(), AppSessions.openIdSubject(token.subject()), token.session(), token.issuedAt())
        || token.session().isPresent()
            && marks.cover(realm, token.issuer(), ANYBODY, token.session(), token.issuedAt());
  }
}
