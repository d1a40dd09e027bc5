package dev.gatehouse.gateway.admin.web;

import dev.gatehouse.common.admin.PersonLogins.PersonLogin;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.key.AdministratorKeys;
import dev.gatehouse.common.key.NamedKeys.NamedKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/** Finds out what administrators may do now whose work goes on after the request: a key or a role may have been taken away since. */
public final class RightsWatch {

  /** The directory is asked again when its answer is as old as at requests. */
  private static final Duration ENTRY_COUNTS = Duration.ofSeconds(30);

  private final AdministratorKeys keys;
  private final AdministratorPeople people;
  private final InstantSource time;

  RightsWatch(AdministratorKeys keys, AdministratorPeople people, InstantSource time) {
    this.keys = keys;
    this.people = people;
    this.time = time;
  }

  /** Begins with the rights of a request. */
  public Held hold(AdminRights begun) {
    return new Held(begun);
  }

  /** The rights of somebody whose work goes on; whoever lost all of them has none. */
  public final class Held implements Supplier<Optional<AdminRights>> {

    private final AdminRights begun;
    private final Optional<Instant> keyMade;
    private Instant looked;
    private boolean isEnabled = true;

    private Held(AdminRights begun) {
      this.begun = begun;
      this.keyMade = key().map(NamedKey::createdAt);
      this.looked = time.instant();
    }

    @Override
    public synchronized Optional<AdminRights> get() {
      return begun.login().isPresent() ? ofPerson(begun.login().get()) : ofKey();
    }

    /** A key that was made anew under the name is another one. */
    private Optional<AdminRights> ofKey() {
      Instant now = time.instant();
      return key()
          .filter(key -> !key.isExpired(now) && keyMade.filter(key.createdAt()::equals).isPresent())
          .map(key -> new AdminRights(key.name(), key.grants()));
    }

    private Optional<NamedKey> key() {
      return keys.list().stream().filter(key -> key.name().equals(begun.administrator())).findFirst();
    }

    private Optional<AdminRights> ofPerson(PersonLogin login) {
      Instant now = time.instant();
      if (now.isAfter(looked.plus(ENTRY_COUNTS))) {
        try {
          isEnabled = people.isEnabled(login);
          looked = now;
        } catch (DirectoryUnavailable e) {
          // The roles are known; the person's entry is asked for again at the next step.
        }
      }
      return isEnabled ? people.granted(login) : Optional.empty();
    }
  }
}
