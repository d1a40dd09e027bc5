package dev.gatehouse.idp.otp.people;

import dev.gatehouse.common.admin.PeopleDesk.Order;
import dev.gatehouse.common.otp.KnownPeople;
import dev.gatehouse.common.otp.PeopleRun;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.throttle.RepeatedTask;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/** Synchronises the realms whose {@code otp.people.every} says so, at one node for all. */
public final class PeopleSchedule implements AutoCloseable {

  static final String BY = "schedule";

  private static final Logger LOG = LoggerFactory.getLogger(PeopleSchedule.class);

  /** A run that did not end well is repeated after this time, or after {@code every} if that is shorter. */
  private static final Duration AGAIN = Duration.ofMinutes(15);

  private static final Duration BETWEEN = Duration.ofSeconds(15);

  private final PeopleSync sync;
  private final KnownPeople known;
  private final Realms realms;
  private final InstantSource clock;
  private volatile boolean closed;
  private Optional<RepeatedTask> task = Optional.empty();

  public PeopleSchedule(PeopleSync sync, KnownPeople known, Realms realms, InstantSource clock) {
    this.sync = sync;
    this.known = known;
    this.realms = realms;
    this.clock = clock;
  }

  /** Begins to look, again and again. */
  public PeopleSchedule begin() {
    task = Optional.of(RepeatedTask.every(BETWEEN, "otp-people", "People cannot be synchronised with the directory", this::look));
    return this;
  }

  /** Synchronises what is due. */
  void look() {
    for (Realm realm : realms.all()) {
      try {
        look(realm);
      } catch (RuntimeException e) {
        // The others are none of its faults.
        LOG.warn("The people of the realm {} cannot be synchronised", realm.name(), e);
      }
    }
  }

  private void look(Realm realm) {
    Optional<Duration> every = PeopleSync.rules(realm).flatMap(TokenLogin.People::every);
    if (every.isPresent() && isDue(realm.name(), every.get())) {
      run(realm.name());
    }
  }

  private boolean isDue(String realm, Duration every) {
    List<PeopleRun> last = known.runs(realm, 1);
    if (last.isEmpty()) {
      return true;
    }
    PeopleRun run = last.getFirst();
    Instant now = clock.instant();
    return switch (run.state()) {
      case DONE -> isOver(run, every, now);
      case STOPPED, FAILED -> isOver(run, pause(every), now);
      // An administrator may have ended it. One of a node that has stopped is finished at once.
      case INTERRUPTED -> run.by().equals(BY) || run.endedAt().isEmpty() || isOver(run, pause(every), now);
      // Its node runs, or is gone: only one has the turn.
      case RUNNING -> true;
    };
  }

  private static Duration pause(Duration every) {
    return every.compareTo(AGAIN) < 0 ? every : AGAIN;
  }

  private static boolean isOver(PeopleRun run, Duration pause, Instant now) {
    return !now.isBefore(run.startedAt().plus(pause));
  }

  private void run(String realm) {
    try {
      sync.run(
          new Order(realm, BY, false, Optional.empty()),
          (done, total) -> {
            if (closed) {
              throw new CancellationException();
            }
          });
    } catch (CancellationException | PeopleChanges.TurnLost e) {
      // The next one does the rest.
    }
  }

  @Override
  public void close() {
    closed = true;
    task.ifPresent(RepeatedTask::close);
  }
}
