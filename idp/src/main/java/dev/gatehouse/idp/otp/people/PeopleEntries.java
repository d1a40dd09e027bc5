package dev.gatehouse.idp.otp.people;

import dev.gatehouse.common.admin.PeopleDesk.EntryFault;
import dev.gatehouse.common.admin.PeopleDesk.Remark;
import dev.gatehouse.common.directory.PeopleSearch.Entry;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.KnownPerson;
import dev.gatehouse.common.otp.KnownPerson.Status;
import dev.gatehouse.common.stringprep.StringPreparation;
import dev.gatehouse.common.throttle.LoginNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The entries of a directory as people of the register. An entry that is not one person with one name is left out, and its person is
 * neither changed nor gone.
 */
final class PeopleEntries {

  private static final int LONGEST_ID = 255;
  private static final int LONGEST_TEXT = 256;
  private static final int LONGEST_PLACE = 2000;
  private static final int LONGEST_GROUPS = 8000;
  private static final int LONGEST_SHOWN = 120;
  private static final int MOST_REMARKS = 1000;

  private final Instant now;
  private final Map<PersonId, KnownPerson> people = new LinkedHashMap<>();

  /** Whose entries were left out. */
  private final Set<PersonId> leftAlone = new HashSet<>();

  private final Map<String, PersonId> byName = new HashMap<>();
  private final Set<String> ambiguous = new HashSet<>();
  private final List<Remark> remarks = new ArrayList<>();
  private long rejected;

  PeopleEntries(List<Entry> entries, Instant now) {
    this.now = now;
    entries.forEach(this::add);
  }

  Map<PersonId, KnownPerson> people() {
    return people;
  }

  /** Returns whether the directory has the person, even if the entry was left out. */
  boolean has(PersonId person) {
    return people.containsKey(person) || leftAlone.contains(person);
  }

  List<Remark> remarks() {
    return remarks;
  }

  long rejected() {
    return rejected;
  }

  private void add(Entry entry) {
    Optional<EntryFault> problem = problem(entry);
    if (problem.isPresent()) {
      entry.id().ifPresent(leftAlone::add);
      reject(problem.get(), entry.name().orElse(""), entry.dn());
      return;
    }
    PersonId id = entry.id().orElseThrow();
    if (has(id)) {
      remove(id, EntryFault.ID_TWICE);
      reject(EntryFault.ID_TWICE, entry.name().orElse(""), entry.dn());
      return;
    }
    String name = entry.name().orElseThrow();
    // As a directory compares names, with accents: two people whose names are equal there cannot log in by them.
    String compared = LoginNames.normal(name);
    PersonId other = byName.get(compared);
    if (other != null || ambiguous.contains(compared)) {
      if (other != null) {
        remove(other, EntryFault.NAME_TWICE);
      }
      ambiguous.add(compared);
      leftAlone.add(id);
      reject(EntryFault.NAME_TWICE, name, entry.dn());
      return;
    }
    byName.put(compared, id);
    people.put(id, person(entry, id, name));
  }

  private static Optional<EntryFault> problem(Entry entry) {
    if (entry.id().isEmpty()) {
      return Optional.of(EntryFault.NO_ID);
    }
    if (entry.id().get().value().length() > LONGEST_ID) {
      return Optional.of(EntryFault.ID_TOO_LONG);
    }
    if (entry.name().filter(name -> !name.isBlank()).isEmpty()) {
      return Optional.of(EntryFault.NO_NAME);
    }
    String name = entry.name().get();
    return name.length() > LoginNames.LONGEST || hasControls(name) || !StringPreparation.keeps(name)
        ? Optional.of(EntryFault.NAME_UNUSABLE)
        : Optional.empty();
  }

  private static boolean hasControls(String text) {
    return text.chars().anyMatch(Character::isISOControl);
  }

  private void remove(PersonId id, EntryFault fault) {
    KnownPerson former = people.remove(id);
    leftAlone.add(id);
    if (former != null) {
      byName.remove(LoginNames.normal(former.name()));
      reject(fault, former.name(), former.place());
    }
  }

  private void reject(EntryFault fault, String name, String place) {
    rejected++;
    remark(fault, name, place);
  }

  private void remark(EntryFault fault, String name, String place) {
    if (remarks.size() < MOST_REMARKS) {
      remarks.add(new Remark(fault, shown(name), shown(place)));
    }
  }

  /** Without what a page or terminal would take for something else. */
  static String shown(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .limit(LONGEST_SHOWN)
        .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) || Character.getType(c) == Character.FORMAT ? 0xfffd : c));
    return text.codePointCount(0, text.length()) > LONGEST_SHOWN ? shown + "…" : shown.toString();
  }

  private KnownPerson person(Entry entry, PersonId id, String name) {
    List<String> groups = entry.groups().stream().filter(group -> fits(group, LONGEST_TEXT)).sorted().distinct().toList();
    boolean fit = groups.stream().mapToInt(group -> group.length() + 1).sum() <= LONGEST_GROUPS;
    String place = fits(entry.dn(), LONGEST_PLACE) ? entry.dn() : "";
    String displayName = entry.displayName().filter(text -> fits(text, LONGEST_TEXT)).orElse("");
    String mail = entry.mail().filter(text -> fits(text, LONGEST_TEXT)).orElse("");
    boolean whole =
        fit && place.equals(entry.dn()) && displayName.equals(entry.displayName().orElse("")) && mail.equals(entry.mail().orElse(""));
    if (!whole) {
      remark(EntryFault.VALUE_LEFT_OUT, name, entry.dn());
    }
    return new KnownPerson(
        id, name, displayName, mail, place, fit ? groups : List.of(), entry.isDisabled() ? Status.SUSPENDED : Status.ACTIVE, now,
        Optional.empty());
  }

  private static boolean fits(String text, int longest) {
    return text.length() <= longest && !hasControls(text);
  }
}
