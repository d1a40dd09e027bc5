package dev.gatehouse.idp.authn;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.NameOwner;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.DueStore;
import dev.gatehouse.common.store.DueStore.Work;
import dev.gatehouse.common.throttle.LogThrottle;
import dev.gatehouse.common.throttle.RepeatedTask;
import dev.gatehouse.idp.session.EndCause;
import dev.gatehouse.idp.session.IdpSessions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what was begun with a password that is changed, also if the node ends in between. That it must end is stored before the directory
 * gets the new password, and taken back when it has ended or the directory has refused. What is left after a minute is done by a node that
 * runs: what becomes of a change is unknown then, and ending too much is better than too little.
 */
public final class PasswordEnds implements AutoCloseable {

  public static final String STORE = "idp-password-ends";

  /** Longer than a request lasts. */
  static final Duration LEFT = Duration.ofMinutes(1);

  private static final int MOST_AT_ONCE = 100;
  private static final Duration PAUSE = Duration.ofSeconds(5);

  /**
   * Whose sessions end.
   *
   * @param person empty if only the login name is known
   * @param before sessions that began later stay
   */
  public record Intention(String realm, Optional<String> name, Optional<String> person, Instant before) {}

  private static final Logger LOG = LoggerFactory.getLogger(PasswordEnds.class);

  private final LogThrottle failures = new LogThrottle();
  private final DueStore<Intention> due;
  private final Realms realms;
  private final Directories directories;
  private final IdpSessions sessions;
  private final PasswordNotice notice;
  private final InstantSource time;
  private final RandomGenerator random;
  private Optional<RepeatedTask> background = Optional.empty();

  /** @param random a SecureRandom outside tests */
  public PasswordEnds(
      DueStore<Intention> due,
      Realms realms,
      Directories directories,
      IdpSessions sessions,
      PasswordNotice notice,
      InstantSource time,
      RandomGenerator random) {
    this.due = due;
    this.realms = realms;
    this.directories = directories;
    this.sessions = sessions;
    this.notice = notice;
    this.time = time;
    this.random = random;
  }

  /** Starts the background work. */
  public synchronized void start() {
    background = Optional.of(RepeatedTask.every(PAUSE, "password-ends", "Sessions of a former password cannot be ended", this::tend));
  }

  /** Stores that the sessions end. Returns the key for {@link #done}. */
  public String intend(String realm, String name) {
    return add(new Intention(realm, Optional.of(name), Optional.empty(), time.instant()));
  }

  /** Stores that the sessions end. Returns the key for {@link #done}. */
  String intend(String realm, PersonId person) {
    return add(new Intention(realm, Optional.empty(), Optional.of(person.value()), time.instant()));
  }

  private String add(Intention intention) {
    String key = SessionToken.create(random).value();
    due.add(new Work<>(key, intention.realm(), intention, intention.before().plus(LEFT)));
    return key;
  }

  /** Notes that the sessions have ended, or that they need not. */
  public void done(String key) {
    due.remove(key);
  }

  /** Performs the background work once. */
  public void tend() {
    List<Work<Intention>> left;
    do {
      left = due.claim(MOST_AT_ONCE, LEFT);
      left.forEach(this::tryToEnd);
    } while (left.size() == MOST_AT_ONCE);
  }

  /** A directory that does not answer leaves the work for later, and holds up no other. */
  private void tryToEnd(Work<Intention> work) {
    try {
      end(work);
    } catch (RuntimeException e) {
      failures.count().ifPresent(times -> LOG.warn("Sessions of a former password cannot be ended yet ({} times): {}", times, e.toString()));
    }
  }

  private void end(Work<Intention> work) {
    Intention intention = work.value();
    person(intention).ifPresent(person -> end(intention, person));
    due.remove(work.key());
  }

  private void end(Intention intention, PersonId person) {
    AuditEvent.Context context = new AuditEvent.Context(intention.realm(), "-", Optional.empty());
    notice.changed(context, person);
    sessions.ofPerson(intention.realm(), person).stream()
        .filter(session -> !session.createdAt().isAfter(intention.before()))
        .forEach(session -> sessions.endAndNotify(context, intention.realm(), session.id(), EndCause.PASSWORD_CHANGED));
  }

  /** Returns the person; throws if the directory does not answer, so that the work is left for later. */
  private Optional<PersonId> person(Intention intention) {
    return intention
        .person()
        .map(PersonId::new)
        .or(() -> intention.name().flatMap(name -> realms.find(intention.realm()).flatMap(realm -> owner(realm, name))));
  }

  private Optional<PersonId> owner(Realm realm, String name) {
    return directories.of(realm).owners(List.of(name)).get(name) instanceof NameOwner.One(PersonId id) ? Optional.of(id) : Optional.empty();
  }

  @Override
  public synchronized void close() {
    background.ifPresent(RepeatedTask::close);
  }
}
