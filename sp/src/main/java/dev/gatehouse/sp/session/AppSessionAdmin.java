package dev.gatehouse.sp.session;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.SpConfig;
import dev.gatehouse.common.session.SessionId;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * AppSessions in the administration API. Ending a session here ends only this AppSession: the person's session at the
 * identity provider and those at other sites remain (SAML Core 3.7.3.1 leaves it to a session participant to ask for a
 * logout). The next visit leads to the identity provider again, which may refuse.
 */
public final class AppSessionAdmin implements AdminResource.Sessions {

  private final AppSessions sessions;
  private final Realms realms;

  public AppSessionAdmin(AppSessions sessions, Realms realms) {
    this.sessions = sessions;
    this.realms = realms;
  }

  @Override
  public String kind() {
    return "app";
  }

  @Override
  public List<AdminResource.SessionView> page(String realm, String after, int most) {
    return sessions.store().page(realm, after, most).stream().map(AppSessionAdmin::view).toList();
  }

  /** @param person the whole id, or the user name as asserted by one of the realm's identity providers */
  @Override
  public List<AdminResource.SessionView> ofPerson(String realm, String person) {
    Map<SessionId, AppSession> found = new LinkedHashMap<>();
    sessions.store().byPerson(realm, new PersonId(person)).forEach(session -> found.put(session.id(), session));
    realms
        .find(realm)
        .flatMap(Realm::sp)
        .map(SpConfig::identityProviders)
        .orElse(List.of())
        .stream()
        .map(identityProvider -> AppSession.personId(identityProvider, person))
        .forEach(id -> sessions.store().byPerson(realm, id).forEach(session -> found.put(session.id(), session)));
    realms
        .find(realm)
        .flatMap(Realm::sp)
        .map(sp -> AppSession.localKey(realm, sp.entityId(), person))
        .ifPresent(key -> sessions.store().byIndex(key).forEach(session -> found.put(session.id(), session)));
    return found.values().stream().map(AppSessionAdmin::view).toList();
  }

  @Override
  public Optional<AdminResource.SessionView> find(String realm, String session) {
    return sessions.store().find(new SessionId(session)).filter(found -> found.realm().equals(realm)).map(AppSessionAdmin::view);
  }

  @Override
  public boolean end(String realm, String session, String administrator) {
    if (find(realm, session).isEmpty()) {
      return false;
    }
    AuditEvent.Context context = new AuditEvent.Context(realm, "-", Optional.empty());
    return sessions.end(new SessionId(session), "administrator", context).isPresent();
  }

  private static AdminResource.SessionView view(AppSession session) {
    return new AdminResource.SessionView(
        "app",
        session.id().value(),
        session.realm(),
        session.person().value(),
        session.account().user(),
        session.createdAt(),
        session.expiresAt(),
        List.of(session.login().identityProvider()));
  }
}
