package dev.gatehouse.sp.logout;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.federation.AccountLink;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import dev.gatehouse.sp.session.LogoutMarks;
import java.util.List;
import java.util.stream.Stream;

/**
 * Ends the sessions that an identity provider's LogoutRequest names. Its NameID is the one that counts now (SAML Core 3.7.1): a session
 * may have been opened with another one, which a NewID has replaced since (Core 3.6.3).
 */
final class SamlLogouts {

  private final AppSessions sessions;
  private final AccountLinks links;
  private final LogoutMarks marks;

  SamlLogouts(AppSessions sessions, AccountLinks links, LogoutMarks marks) {
    this.sessions = sessions;
    this.links = links;
    this.marks = marks;
  }

  void end(SpRealm realm, EdgeRequest request, LogoutRequest message) {
    AuditEvent.Context context = AuditEvent.Context.of(realm.name(), request.client());
    // The mark comes before the lookup: a login that is being opened at this moment either sees the mark or is found.
    marks.mark(realm.name(), realm.sp(), message);
    List<AppSession> named =
        sessions.named(realm.name(), message.issuer(), message.nameId(), message.sessionIndexes());
    end(named, context);
    // Afterwards, so that these have ended even if the directory, which may have the links, does not answer.
    if (message.nameId().format().equals(NameId.PERSISTENT)) {
      accounts(realm, message, named).distinct().forEach(account -> end(ofAccount(realm, message, account), context));
    }
  }

  /** The accounts to which the name leads. A session that was found tells its own, so that the link is not read. */
  private Stream<PersonId> accounts(SpRealm realm, LogoutRequest message, List<AppSession> named) {
    return named.isEmpty()
        ? links.find(realm.name(), message.issuer(), message.nameId().value()).map(AccountLink::account).stream()
        : named.stream().filter(AppSession::isLinked).map(AppSession::person);
  }

  private List<AppSession> ofAccount(SpRealm realm, LogoutRequest message, PersonId account) {
    return sessions.ofAccount(realm.name(), account, message.issuer(), message.nameId(), message.sessionIndexes());
  }

  private void end(List<AppSession> open, AuditEvent.Context context) {
    open.forEach(session -> sessions.end(session.id(), "partner", context));
  }
}
