package dev.gatehouse.sp.link;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.federation.AccountLink;
import dev.gatehouse.common.federation.AccountLinks;
import dev.gatehouse.common.saml.NameId;
import dev.gatehouse.sp.session.AppSessions;
import java.util.List;

/**
 * Ends a link at the wish of its person. Sessions that were opened by it end with it: they stand on a link that is no more.
 */
public final class LinkEnding {

  private final AccountLinks links;
  private final AppSessions sessions;
  private final AuditLog audit;

  public LinkEnding(AccountLinks links, AppSessions sessions, AuditLog audit) {
    this.links = links;
    this.sessions = sessions;
    this.audit = audit;
  }

  void end(AuditEvent.Context context, AccountLink link) {
    links
        .unlink(context.realm(), link.identityProvider(), link.nameId())
        .ifPresent(
            ended ->
                audit.record(
                    new AuditEvent.FederationChanged(
                        context, ended.identityProvider(), ended.account().value(), "terminated", "person")));
    NameId name = NameId.of(link.nameId(), NameId.PERSISTENT);
    sessions
        .named(context.realm(), link.identityProvider(), name, List.of())
        .forEach(session -> sessions.end(session.id(), "unlinked", context));
  }
}
