package dev.gatehouse.idp.otp.people;

import dev.gatehouse.common.admin.PeopleDesk.Kind;
import dev.gatehouse.common.admin.PeopleDesk.PersonChange;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.KnownPerson;
import dev.gatehouse.common.otp.KnownPerson.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a synchronisation has to do: the differences of directory and register. Whoever does a part of it finds the rest the next time.
 *
 * @param added whom the register does not have
 * @param changed others who differ, with those who moved and returned, as they are now
 * @param before how the register has them
 * @param gone whom the directory does not have, and did not have in an earlier synchronisation
 * @param missing whom it does not have for the first time, and those for whom it is too early; their tokens stay
 */
record PeoplePlan(
    List<KnownPerson> added, List<KnownPerson> changed, Map<PersonId, KnownPerson> before, List<KnownPerson> gone,
    List<KnownPerson> missing) {

  /** A server that is behind, or was asked in the middle of a move, knows better then. */
  static final Duration CERTAIN = Duration.ofHours(1);

  private static final int MOST_SHOWN = 200;

  static PeoplePlan of(PeopleEntries entries, Map<PersonId, KnownPerson> register) {
    List<KnownPerson> added = new ArrayList<>();
    List<KnownPerson> changed = new ArrayList<>();
    entries
        .people()
        .forEach(
            (id, person) -> {
              KnownPerson known = register.get(id);
              if (known == null) {
                added.add(person);
              } else if (!known.isSameAs(person)) {
                changed.add(person);
              }
            });
    List<KnownPerson> gone =
        register.values().stream().filter(known -> known.status() != Status.GONE && !entries.has(known.id())).toList();
    return new PeoplePlan(added, changed, register, gone, List.of());
  }

  /**
   * Returns what is left of it once those who seem to be gone were asked for.
   *
   * @param present whom the directory has among the people: they are left as they are
   * @param existing whom it has, but not among the people: their accounts are suspended
   */
  PeoplePlan asked(Set<PersonId> present, Set<PersonId> existing, Instant now) {
    List<KnownPerson> all = new ArrayList<>(changed);
    List<KnownPerson> leaving = new ArrayList<>();
    List<KnownPerson> absent = new ArrayList<>();
    for (KnownPerson person : gone) {
      if (existing.contains(person.id()) && !present.contains(person.id())) {
        if (person.status() != Status.SUSPENDED) {
          all.add(person.as(Status.SUSPENDED, Optional.empty()));
        }
      } else if (!present.contains(person.id())) {
        boolean isCertain = person.status() == Status.MISSING && person.goneAt().filter(at -> !now.isBefore(at.plus(CERTAIN))).isPresent();
        (isCertain ? leaving : absent).add(person);
      }
    }
    absent.stream()
        .filter(person -> person.status() != Status.MISSING)
        .forEach(person -> all.add(person.as(Status.MISSING, Optional.of(now))));
    return new PeoplePlan(added, List.copyOf(all), before, List.copyOf(leaving), List.copyOf(absent));
  }

  /** Returns whom the directory does not have, whether for the first time or not. */
  long absent() {
    return (long) gone.size() + missing.size();
  }

  private KnownPerson known(KnownPerson person) {
    return before.getOrDefault(person.id(), person);
  }

  Kind kind(KnownPerson person) {
    KnownPerson known = known(person);
    if (known.status() == Status.GONE) {
      return Kind.RETURNED;
    }
    return known.isSamePlace(person) ? Kind.CHANGED : Kind.MOVED;
  }

  long count(Kind kind) {
    return changed.stream().filter(person -> kind(person) == kind).count();
  }

  /** Returns whom the register has, without those who are gone. */
  long present() {
    return before.values().stream().filter(person -> person.status() != Status.GONE).count();
  }

  long size() {
    return (long) added.size() + changed.size() + gone.size();
  }

  /** Returns some changes of each kind. */
  List<PersonChange> shown() {
    return Stream.of(Kind.GONE, Kind.MOVED, Kind.RETURNED, Kind.CHANGED, Kind.ADDED)
        .flatMap(kind -> people(kind).limit(MOST_SHOWN).map(person -> change(kind, person)))
        .toList();
  }

  private Stream<KnownPerson> people(Kind kind) {
    return switch (kind) {
      case ADDED -> added.stream();
      case GONE -> gone.stream();
      case CHANGED, MOVED, RETURNED -> changed.stream().filter(person -> kind(person) == kind);
    };
  }

  private PersonChange change(Kind kind, KnownPerson person) {
    String detail =
        switch (kind) {
          case ADDED, GONE, RETURNED -> person.place();
          case MOVED -> known(person).place() + " → " + person.place();
          case CHANGED -> differences(known(person), person);
        };
    return new PersonChange(kind, PeopleEntries.shown(person.id().value()), PeopleEntries.shown(person.name()), PeopleEntries.shown(detail));
  }

  private static String differences(KnownPerson was, KnownPerson is) {
    List<String> names = new ArrayList<>();
    if (!was.displayName().equals(is.displayName())) {
      names.add("displayName");
    }
    if (!was.mail().equals(is.mail())) {
      names.add("mail");
    }
    if (!was.groups().equals(is.groups())) {
      names.add("groups");
    }
    if (was.status() != is.status()) {
      names.add(is.status() == Status.MISSING ? "missing" : "status");
    }
    return String.join(", ", names);
  }
}
