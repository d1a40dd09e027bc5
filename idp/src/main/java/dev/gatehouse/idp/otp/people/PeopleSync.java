package dev.gatehouse.idp.otp.people;

import dev.gatehouse.common.admin.PeopleDesk;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Directory;
import dev.gatehouse.common.directory.DirectoryUnavailable;
import dev.gatehouse.common.directory.PeopleSearch;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.KnownPeople;
import dev.gatehouse.common.otp.KnownPerson;
import dev.gatehouse.common.otp.PeopleRun;
import dev.gatehouse.common.otp.PeopleRun.Numbers;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.realm.TokenLogin.Limit;
import dev.gatehouse.common.result.Result;
import dev.gatehouse.common.throttle.Turn;
import dev.gatehouse.common.throttle.Turns;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Synchronises the registers of realms with their directories. All people are read and compared before anything is written; what is
 * written is the difference, so that a run that ended early is finished by the next one.
 */
public final class PeopleSync implements PeopleDesk {

  private static final Logger LOG = LoggerFactory.getLogger(PeopleSync.class);

  /** The time within which the limit counts: a directory that loses its people bit by bit is noticed as well. */
  private static final Duration LIMITED = Duration.ofDays(1);

  /** The work that one node does at a time, for each realm. */
  private static final String WORK = "otp-people:";

  private static final String OTHER_NODE =
      "Another node synchronises the people of this realm: wait until it has ended, or 30 s if it was killed.";

  private final KnownPeople known;
  private final Realms realms;
  private final Directories directories;
  private final Turns turns;
  private final AuditLog audit;
  private final InstantSource clock;

  /** Realms that are synchronised by this node at the moment. */
  private final Set<String> running = ConcurrentHashMap.newKeySet();

  public PeopleSync(
      KnownPeople known, Realms realms, Directories directories, Turns turns, AuditLog audit, InstantSource clock) {
    this.known = known;
    this.realms = realms;
    this.directories = directories;
    this.turns = turns;
    this.audit = audit;
    this.clock = clock;
  }

  /** A realm with a register. */
  private record Subject(Realm realm, TokenLogin.People rules) {
    String name() {
      return realm.name();
    }

    PeopleSearch.Query query() {
      return new PeopleSearch.Query(rules.base(), rules.filter(), rules.displayName(), rules.mail(), rules.groups());
    }
  }

  /** What was read, and what is to be done. */
  private record Compared(PeopleEntries entries, PeoplePlan plan, long found, Optional<Stop> stop) {
    Numbers numbers(long tokens) {
      return new Numbers(
          found, plan.added().size(), plan.count(Kind.CHANGED), plan.count(Kind.MOVED), plan.count(Kind.RETURNED), plan.gone().size(),
          entries.rejected(), tokens);
    }

    Synchronised told(long tokens, Optional<Stop> why) {
      return new Synchronised(view(numbers(tokens)), plan.shown(), entries.remarks(), why);
    }
  }

  static Optional<TokenLogin.People> rules(Realm realm) {
    return realm.idp().flatMap(idp -> idp.contracts().token()).flatMap(TokenLogin::people);
  }

  private Optional<Subject> subject(String realm) {
    return realms.find(realm).flatMap(found -> rules(found).map(rules -> new Subject(found, rules)));
  }

  @Override
  public boolean isOn(String realm) {
    return subject(realm).isPresent();
  }

  @Override
  public Result<Synchronised, Stop> run(Order order, Progress progress) {
    Optional<Subject> subject = subject(order.realm());
    if (subject.isEmpty()) {
      return refused(Reason.PEOPLE_OFF, "This realm has no register of people: write otp.people into its configuration.");
    }
    return order.isPreview() ? preview(subject.get(), order, progress) : once(subject.get(), order, progress);
  }

  private static Result<Synchronised, Stop> refused(Reason reason, String sentence) {
    return Result.refused(new Stop(reason, sentence));
  }

  private Result<Synchronised, Stop> preview(Subject subject, Order order, Progress progress) {
    return compare(subject, order, read -> progress.at(read, 0))
        .then(
            compared -> {
              Map<PersonId, Long> tokens = compared.plan().gone().isEmpty() ? Map.of() : known.tokens(subject.name());
              long held = compared.plan().gone().stream().mapToLong(person -> tokens.getOrDefault(person.id(), 0L)).sum();
              return Result.accepted(compared.told(held, compared.stop()));
            });
  }

  private Result<Synchronised, Stop> once(Subject subject, Order order, Progress progress) {
    if (!running.add(subject.name())) {
      return refused(Reason.RUNNING, "The people of this realm are synchronised at the moment: wait until that has ended.");
    }
    try {
      Optional<Turn> turn = turns.take(WORK + subject.name());
      return turn.isEmpty()
          ? refused(Reason.RUNNING, OTHER_NODE)
          : inTurn(subject, order, turn.get(), progress);
    } finally {
      running.remove(subject.name());
    }
  }

  private Result<Synchronised, Stop> inTurn(Subject subject, Order order, Turn turn, Progress progress) {
    try {
      return recorded(subject, order, turn, progress);
    } finally {
      turns.giveBack(WORK + subject.name());
    }
  }

  private Result<Synchronised, Stop> recorded(Subject subject, Order order, Turn turn, Progress progress) {
    Instant begun = clock.instant();
    long[] number = {0};
    if (!turn.write(() -> number[0] = known.begin(subject.name(), order.by(), begun))) {
      return refused(Reason.RUNNING, OTHER_NODE);
    }
    PeopleRun run =
        new PeopleRun(
            number[0], order.by(), begun, Optional.empty(), PeopleRun.State.RUNNING, Numbers.NONE, Optional.empty(), List.of());
    PeopleChanges changes = new PeopleChanges(subject.name(), run, known, audit, turn, clock);
    try {
      Result<Compared, Stop> compared = compare(subject, order, read -> progress.at(read, 0));
      Optional<Stop> stop =
          switch (compared) {
            case Result.Refused<Compared, Stop>(Stop why) -> Optional.of(why);
            case Result.Accepted<Compared, Stop>(Compared known) -> known.stop();
          };
      if (stop.isPresent()) {
        changes.end(PeopleRun.State.STOPPED, Optional.of(stop.get().sentence()));
        record(order, stop.get().reason().name(), changes.numbers());
        return Result.refused(stop.get());
      }
      Compared all = ((Result.Accepted<Compared, Stop>) compared).value();
      // What cannot be audited is not done.
      record(order, "BEGUN", all.numbers(0));
      changes.make(all.plan(), all.numbers(0), all.entries().remarks(), progress);
      changes.end(PeopleRun.State.DONE, Optional.empty());
      record(order, "DONE", changes.numbers());
      return Result.accepted(all.told(changes.numbers().tokens(), Optional.empty()));
    } catch (CancellationException | PeopleChanges.TurnLost e) {
      changes.end(PeopleRun.State.INTERRUPTED, Optional.of("It was ended before all was done; the next one does the rest."));
      record(order, "INTERRUPTED", changes.numbers());
      throw e;
    } catch (RuntimeException e) {
      LOG.warn("The people of the realm {} cannot be synchronised", subject.name(), e);
      changes.end(PeopleRun.State.FAILED, Optional.of("It failed; the log has the reason. The next one does the rest."));
      record(order, "FAILED", changes.numbers());
      throw e;
    }
  }

  private void record(Order order, String outcome, Numbers n) {
    AuditEvent.Context context = new AuditEvent.Context(order.realm(), "-", Optional.empty());
    audit.record(
        new AuditEvent.PeopleSynchronised(
            context, order.by(), outcome, n.added(), n.changed() + n.moved() + n.returned(), n.gone(), n.tokens()));
  }

  /** Reads the directory, and compares. Nothing is written yet. */
  private Result<Compared, Stop> compare(Subject subject, Order order, LongConsumer read) {
    Directory directory = directories.of(subject.realm());
    try {
      return switch (directory.people(subject.query(), read)) {
        case PeopleSearch.Outcome.Incomplete(String why) ->
            Result.refused(new Stop(Reason.DIRECTORY_INCOMPLETE, why + ". Nothing was changed."));
        case PeopleSearch.Outcome.All(List<PeopleSearch.Entry> entries) -> Result.accepted(compared(subject, order, directory, entries));
      };
    } catch (DirectoryUnavailable e) {
      return Result.refused(new Stop(Reason.DIRECTORY_UNAVAILABLE, "The directory does not answer: " + e.getMessage() + ". Nothing was changed."));
    }
  }

  private Compared compared(Subject subject, Order order, Directory directory, List<PeopleSearch.Entry> found) {
    PeopleEntries entries = new PeopleEntries(found, clock.instant());
    PeoplePlan plan = PeoplePlan.of(entries, known.all(subject.name()));
    if (found.isEmpty() && plan.present() > 0) {
      Stop empty =
          new Stop(
              Reason.DIRECTORY_EMPTY,
              "The directory has nobody of otp.people, and the register has " + plan.present() + " people. Nothing was changed.");
      return new Compared(entries, plan, 0, Optional.of(empty));
    }
    if (!plan.gone().isEmpty()) {
      List<PersonId> asked = plan.gone().stream().map(KnownPerson::id).toList();
      // Whoever was moved between two pages, or came meanwhile, is not gone. Nor is an entry that a filter does not match any more.
      plan = plan.asked(directory.present(subject.query(), asked), directory.existing(asked), clock.instant());
    }
    return new Compared(entries, plan, found.size(), stop(subject, order, plan));
  }

  private Optional<Stop> stop(Subject subject, Order order, PeoplePlan plan) {
    Limit limit = order.mayDisable().flatMap(Limit::parse).orElse(subject.rules().mayDisable());
    long before = plan.absent() == 0 ? 0 : known.goneSince(subject.name(), clock.instant().minus(LIMITED));
    long may = limit.of(plan.present() + before);
    return plan.absent() == 0 || before + plan.absent() <= may
        ? Optional.empty()
        : Optional.of(new Stop(Reason.TOO_MANY_GONE, tooMany(plan.absent(), before, limit, may)));
  }

  private static String tooMany(long gone, long before, Limit limit, long may) {
    String since = before == 0 ? "" : ", " + before + " left within the last day,";
    String number = limit.isShare() ? limit + ", which is " + may : String.valueOf(may);
    return "The directory does not have " + gone + " people any more" + since + " and otp.people.mayDisable allows " + number
        + ". Nothing was changed. If they have left, synchronise with a higher limit.";
  }

  @Override
  public List<PeopleRunView> runs(String realm, int limit) {
    return known.runs(realm, limit).stream()
        .map(
            run ->
                new PeopleRunView(
                    run.number(), run.by(), run.startedAt(), run.endedAt(), run.state().name().toLowerCase(Locale.ROOT), view(run.numbers()),
                    run.problem(), run.remarks()))
        .toList();
  }

  private static PeopleCounts view(Numbers n) {
    return new PeopleCounts(n.found(), n.added(), n.changed(), n.moved(), n.returned(), n.gone(), n.rejected(), n.tokens());
  }

  @Override
  public List<KnownPersonView> page(String realm, String name, Optional<String> status, String after, int limit) {
    Optional<KnownPerson.Status> wanted = status.map(word -> KnownPerson.Status.valueOf(word.toUpperCase(Locale.ROOT)));
    return known.list(realm, name, wanted, after, limit).stream()
        .map(
            person ->
                new KnownPersonView(
                    person.id().value(), person.name(), person.displayName(), person.mail(), person.place(), person.groups(),
                    person.status().name().toLowerCase(Locale.ROOT), person.seenAt(), person.goneAt()))
        .toList();
  }
}
