package dev.gatehouse.idp.admin;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.session.EndCause;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSession.Participant;
import dev.gatehouse.idp.session.IdpSessions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * IdpSessions in the administration API. If an administrator ends one, its participants are notified from server to
 * server.
 */
public final class IdpSessionsResource implements AdminResource.Sessions {

  private static final int PAGE = 500;

  private final IdpSessions sessions;

  public IdpSessionsResource(IdpSessions sessions) {
    this.sessions = sessions;
  }

  @Override
  public String kind() {
    return "idp";
  }

  @Override
  public List<AdminResource.SessionView> page(String realm, String after, int most) {
    return sessions.page(realm, after, most).stream().map(IdpSessionsResource::view).toList();
  }

  /** Finds sessions by id directly, and by name only through all sessions, because the store is indexed by id. */
  @Override
  public List<AdminResource.SessionView> ofPerson(String realm, String person) {
    List<IdpSession> found = new ArrayList<>(sessions.ofPerson(realm, new PersonId(person)));
    String after = "";
    List<IdpSession> page;
    do {
      page = sessions.page(realm, after, PAGE);
      page.stream()
          .filter(session -> session.snapshot().details().name().equals(person) && !found.contains(session))
          .forEach(found::add);
      after = page.isEmpty() ? after : page.getLast().id().value();
    } while (page.size() == PAGE);
    return found.stream().map(IdpSessionsResource::view).toList();
  }

  @Override
  public Optional<AdminResource.SessionView> find(String realm, String session) {
    return sessions.find(realm, new SessionId(session)).map(IdpSessionsResource::view);
  }

  @Override
  public boolean end(String realm, String session, String administrator) {
    AuditEvent.Context context = new AuditEvent.Context(realm, "-", Optional.empty());
    return sessions.endAndNotify(context, realm, new SessionId(session), EndCause.ADMINISTRATOR).isPresent();
  }

  private static AdminResource.SessionView view(IdpSession session) {
    return new AdminResource.SessionView(
        "idp",
        session.id().value(),
        session.realm(),
        session.person().value(),
        session.snapshot().details().name(),
        session.createdAt(),
        session.expiresAt(),
        session.participants().stream().map(Participant::entityId).distinct().toList());
  }
}
