package dev.gatehouse.gateway.effect;

import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.gateway.effect.DecisionFile.Reading;
import dev.gatehouse.gateway.effect.Effect.Change;
import dev.gatehouse.gateway.route.RouteTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Asks the recorded decisions of the last day again. Blocks for seconds: call on virtual threads only. */
public final class Effects {

  /** Longer, and the rest is left out. */
  static final Duration LONGEST = Duration.ofSeconds(5);

  private static final Duration LAST = Duration.ofDays(1);
  private static final int LISTED = 100;

  private final DecisionFiles files;
  private final LongSupplier lost;
  private final InstantSource time;

  /** @param lost the number of decisions that could not be recorded */
  Effects(DecisionFiles files, LongSupplier lost, InstantSource time) {
    this.files = files;
    this.lost = lost;
    this.time = time;
  }

  /** Returns which requests of people the proposed realms would permit or refuse, other than those in use. */
  public Effect of(Collection<Realm> inUse, Collection<Realm> proposed) {
    Instant begun = time.instant();
    Comparison comparison = new Comparison(RouteTable.of(inUse, true), RouteTable.of(proposed, true), begun.plus(LONGEST));
    LocalDate today = LocalDate.ofInstant(begun, ZoneOffset.UTC);
    long since = begun.minus(LAST).getEpochSecond();
    Reading reading = Reading.NOTHING;
    try {
      for (LocalDate day : List.of(today, today.minusDays(1))) {
        reading = reading.plus(files.of(day).newestFirst(since, comparison::ask));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Recorded decisions cannot be read", e);
    }
    double seen = reading.seen() + lost.getAsLong();
    return new Effect(
        reading.recorded(),
        comparison.asked,
        seen == 0 ? 1 : Math.min(1, comparison.asked / seen),
        comparison.gains.listed(),
        comparison.losses.listed(),
        comparison.gains.more,
        comparison.losses.more,
        unknown(inUse, proposed));
  }

  /** The attributes that only the proposed policies name. */
  private static List<String> unknown(Collection<Realm> inUse, Collection<Realm> proposed) {
    return proposed.stream().flatMap(realm -> unknown(inUse, realm)).distinct().sorted().toList();
  }

  private static Stream<String> unknown(Collection<Realm> inUse, Realm proposed) {
    Optional<AttributeNames> recorded =
        inUse.stream().filter(realm -> realm.name().equals(proposed.name())).findFirst().map(AttributeNames::of);
    return AttributeNames.of(proposed).names().stream().filter(name -> recorded.filter(names -> names.contains(name)).isEmpty());
  }

  /** Compares two configurations, decision by decision. */
  private final class Comparison {
    private final RouteTable inUse;
    private final RouteTable proposed;
    private final Instant end;
    private final LongSet keys = new LongSet();
    private final Changes gains = new Changes();
    private final Changes losses = new Changes();
    private long asked;

    Comparison(RouteTable inUse, RouteTable proposed, Instant end) {
      this.inUse = inUse;
      this.proposed = proposed;
      this.end = end;
    }

    /** Returns whether there is time for more. */
    boolean ask(RecordedDecision recorded) {
      asked++;
      if (keys.add(recorded.key())) {
        Answer before = Answer.of(inUse, recorded);
        Answer after = Answer.of(proposed, recorded);
        if (before.permitted() != after.permitted()) {
          RecordedDecision.Asker asker = recorded.asker();
          String user = asker.account().user();
          Changes changes = after.permitted() ? gains : losses;
          changes.add(new Change(asker.realm(), user, recorded.asked().method(), recorded.asked().url(), after.reason()));
        }
      }
      return asked % 64 != 0 || time.instant().isBefore(end);
    }
  }

  /** The first changes in their order, and the number of the others. */
  private static final class Changes {
    private final TreeSet<Change> first =
        new TreeSet<>(Comparator.comparing(Change::realm).thenComparing(Change::person).thenComparing(Change::url).thenComparing(Change::method));
    private final LongSet known = new LongSet();
    private long more;

    void add(Change change) {
      long hash = Fingerprint.with(Fingerprint.with(1, change.realm()), change.person());
      if (!known.add(Fingerprint.with(Fingerprint.with(hash, change.method()), change.url()))) {
        return;
      }
      first.add(change);
      if (first.size() > LISTED) {
        first.pollLast();
        more++;
      }
    }

    List<Change> listed() {
      return List.copyOf(first);
    }
  }
}
