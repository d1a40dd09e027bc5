package dev.gatehouse.idp.otp.people;

import dev.gatehouse.common.admin.PeopleDesk.Kind;
import dev.gatehouse.common.admin.PeopleDesk.Progress;
import dev.gatehouse.common.admin.PeopleDesk.Remark;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.otp.KnownPeople;
import dev.gatehouse.common.otp.KnownPerson;
import dev.gatehouse.common.otp.PeopleRun;
import dev.gatehouse.common.otp.PeopleRun.Numbers;
import dev.gatehouse.common.throttle.Turn;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes the changes of one synchronisation, batch by batch, and keeps its numbers: only what is done is counted. */
final class PeopleChanges {

  private static final int BATCH = 500;
  private static final int MOST_REMARKS = 50;
  private static final int LONGEST_PROBLEM = 1000;

  /** Another node has the turn now. */
  static final class TurnLost extends RuntimeException {
    private static final long serialVersionUID = 1;

    TurnLost() {
      super("another node has the turn", null, false, false);
    }
  }

  private final String realm;
  private final PeopleRun begun;
  private final KnownPeople known;
  private final AuditLog audit;
  private final Turn turn;
  private final InstantSource clock;
  private Numbers numbers = Numbers.NONE;
  private List<String> remarks = List.of();
  private long done;

  PeopleChanges(String realm, PeopleRun begun, KnownPeople known, AuditLog audit, Turn turn, InstantSource clock) {
    this.realm = realm;
    this.begun = begun;
    this.known = known;
    this.audit = audit;
    this.turn = turn;
    this.clock = clock;
  }

  Numbers numbers() {
    return numbers;
  }

  /** @param planned whose numbers of entries count */
  void make(PeoplePlan plan, Numbers planned, List<Remark> left, Progress progress) {
    numbers = new Numbers(planned.found(), 0, 0, 0, 0, 0, planned.rejected(), 0);
    remarks = left.stream().limit(MOST_REMARKS).map(one -> one.fault() + " " + one.name() + " " + one.place()).toList();
    progress.at(0, plan.size());
    // First whoever must not get in any more.
    each(
        plan.gone(),
        1,
        plan.size(),
        progress,
        people -> people.forEach(this::leave));
    each(plan.changed(), BATCH, plan.size(), progress, people -> change(plan, people));
    each(plan.added(), BATCH, plan.size(), progress, this::add);
  }

  private void each(List<KnownPerson> people, int size, long total, Progress progress, Consumer<List<KnownPerson>> work) {
    for (int from = 0; from < people.size(); from += size) {
      List<KnownPerson> batch = people.subList(from, Math.min(people.size(), from + size));
      work.accept(batch);
      done += batch.size();
      if (done % BATCH < size) {
        note(PeopleRun.State.RUNNING, Optional.empty());
      }
      progress.at(done, total);
    }
  }

  private void leave(KnownPerson person) {
    int[] tokens = {0};
    // What cannot be audited is not done.
    inTurn(() -> tokens[0] = known.leave(realm, person.id(), clock.instant(), returned -> record(person, returned)).size());
    count(0, 0, 0, 0, 1, tokens[0]);
  }

  private void record(KnownPerson person, List<KnownPeople.Returned> returned) {
    AuditEvent.Context context = new AuditEvent.Context(realm, "-", Optional.empty());
    for (KnownPeople.Returned one : returned) {
      audit.record(new AuditEvent.TokenChanged(context, one.serial(), person.id().value(), one.isDeleted() ? "removed" : "unassigned"));
    }
  }

  private void change(PeoplePlan plan, List<KnownPerson> people) {
    inTurn(() -> known.write(realm, List.of(), people));
    long moved = people.stream().filter(person -> plan.kind(person) == Kind.MOVED).count();
    long returned = people.stream().filter(person -> plan.kind(person) == Kind.RETURNED).count();
    count(0, people.size() - moved - returned, moved, returned, 0, 0);
  }

  private void add(List<KnownPerson> people) {
    inTurn(() -> known.write(realm, people, List.of()));
    count(people.size(), 0, 0, 0, 0, 0);
  }

  private void inTurn(Runnable writes) {
    if (!turn.write(writes)) {
      throw new TurnLost();
    }
  }

  private void count(long added, long changed, long moved, long returned, long gone, long tokens) {
    Numbers n = numbers;
    numbers =
        new Numbers(
            n.found(), n.added() + added, n.changed() + changed, n.moved() + moved, n.returned() + returned, n.gone() + gone, n.rejected(),
            n.tokens() + tokens);
  }

  /** Notes the end, unless the database is away: then the next run finds this one interrupted. */
  void end(PeopleRun.State state, Optional<String> problem) {
    note(state, problem);
  }

  private void note(PeopleRun.State state, Optional<String> problem) {
    known.note(
        realm,
        new PeopleRun(
            begun.number(), begun.by(), begun.startedAt(), state == PeopleRun.State.RUNNING ? Optional.empty() : Optional.of(clock.instant()),
            state, numbers, problem.map(text -> text.substring(0, Math.min(text.length(), LONGEST_PROBLEM))), remarks));
  }
}
