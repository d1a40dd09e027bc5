package dev.gatehouse.sp.session;

import dev.gatehouse.common.admin.SessionAccounts;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.session.SessionId;
import java.util.Optional;

/**
 * Reads the accounts of open sessions again. Otherwise a session has the roles, groups and attributes of its login until it ends. An
 * account that an identity provider asserted cannot be read again: the session ends, and the next request leads to the provider, which
 * asserts what is so now.
 */
public final class AppSessionAccounts implements SessionAccounts {

  private static final String CAUSE = "account read again";

  private final AppSessions sessions;
  private final Directories directories;
  private final Realms realms;

  public AppSessionAccounts(AppSessions sessions, Directories directories, Realms realms) {
    this.sessions = sessions;
    this.directories = directories;
    this.realms = realms;
  }

  @Override
  public Reread reread(String realm, String session) {
    Optional<AppSession> open = sessions.store().find(new SessionId(session)).filter(found -> found.realm().equals(realm));
    if (open.isEmpty()) {
      return Reread.NONE;
    }
    Optional<LocalAccount> now = person(realm, open.get()).map(LocalAccount::of);
    if (now.isEmpty()) {
      return end(open.get());
    }
    if (now.get().equals(open.get().account())) {
      return Reread.UNCHANGED;
    }
    return sessions.change(open.get().id(), now.get()).isPresent() ? Reread.CHANGED : Reread.NONE;
  }

  /** The directory's id is also the session's, unless an identity provider named the person. */
  private Optional<Person> person(String realm, AppSession session) {
    return realms
        .find(realm)
        .filter(known -> known.directory().isPresent())
        .flatMap((Realm known) -> directories.of(known).findEnabled(session.person()));
  }

  private Reread end(AppSession session) {
    AuditEvent.Context context = new AuditEvent.Context(session.realm(), "-", Optional.empty());
    return sessions.end(session.id(), CAUSE, context).isPresent() ? Reread.ENDED : Reread.NONE;
  }
}
