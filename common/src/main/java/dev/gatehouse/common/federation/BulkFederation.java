package dev.gatehouse.common.federation;

import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.NameOwner;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.federation.AccountLinks.Linking;
import dev.gatehouse.common.federation.AccountLinks.Pair;
import dev.gatehouse.common.federation.PersistentNameIds.Giving;
import dev.gatehouse.common.federation.PersistentNameIds.Wanted;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.saml.SamlIds;
import dev.gatehouse.common.stringprep.StringPreparation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;

/**
 * Federates many people at once, without their login: at the identity provider it gives names, at the service provider it links
 * them to local accounts. Repeating it changes nothing and returns the same.
 */
public final class BulkFederation {

  /**
   * One person.
   *
   * @param local login name here
   * @param nameId between the two parties; generated at the identity provider if absent, required at the service provider
   */
  public record Line(String local, Optional<String> nameId) {}

  /** The result of a line. */
  public sealed interface Outcome {
    /** @param isNew false if the person was federated before */
    record Federated(String nameId, boolean isNew) implements Outcome {}

    record Rejected(Reason reason) implements Outcome {}
  }

  /** The reason why a line was rejected. */
  public enum Reason {
    LOCAL_NAME_UNKNOWN,
    LOCAL_NAME_AMBIGUOUS,
    NAME_ID_MISSING,
    NAME_ID_UNUSABLE,
    /** The name is, or was, another person's. */
    NAME_ID_TAKEN,
    /** The person has another name between the two parties. */
    PERSON_HAS_ANOTHER
  }

  private final Directories directories;
  private final PersistentNameIds nameIds;
  private final AccountLinks links;
  private final RandomGenerator random;

  public BulkFederation(
      Directories directories, PersistentNameIds nameIds, AccountLinks links, RandomGenerator random) {
    this.directories = directories;
    this.nameIds = nameIds;
    this.links = links;
    this.random = random;
  }

  /** Gives names to people for a service provider; the outcomes are in the order of the lines. */
  public List<Outcome> give(Realm realm, String sp, List<Line> lines) {
    return federate(
        realm,
        lines,
        false,
        (wanted, people) -> {
          List<Wanted> all = new ArrayList<>();
          for (int i = 0; i < wanted.size(); i++) {
            all.add(new Wanted(people.get(i), wanted.get(i).nameId()));
          }
          return nameIds.giveAll(realm.name(), sp, all, () -> SamlIds.create(random)).stream()
              .map(BulkFederation::outcome)
              .toList();
        });
  }

  /** Links names of an identity provider to local accounts; the outcomes are in the order of the lines. */
  public List<Outcome> link(Realm realm, String idp, List<Line> lines) {
    return federate(
        realm,
        lines,
        true,
        (wanted, people) -> {
          List<Pair> all = new ArrayList<>();
          for (int i = 0; i < wanted.size(); i++) {
            all.add(new Pair(wanted.get(i).nameId().orElseThrow(), people.get(i)));
          }
          return links.linkAll(realm.name(), idp, all).stream().map(BulkFederation::outcome).toList();
        });
  }

  private static Outcome outcome(Giving giving) {
    return switch (giving) {
      case Giving.Given(PersistentNameId nameId, boolean isNew) -> new Outcome.Federated(nameId.value(), isNew);
      case Giving.HasAnother(_) -> new Outcome.Rejected(Reason.PERSON_HAS_ANOTHER);
      case Giving.Taken() -> new Outcome.Rejected(Reason.NAME_ID_TAKEN);
      case Giving.NoSuchPerson() -> new Outcome.Rejected(Reason.LOCAL_NAME_UNKNOWN);
    };
  }

  private static Outcome outcome(Linking linking) {
    return switch (linking) {
      case Linking.Linked(AccountLink link, boolean isNew) -> new Outcome.Federated(link.nameId(), isNew);
      case Linking.NameTaken() -> new Outcome.Rejected(Reason.NAME_ID_TAKEN);
      case Linking.AccountTaken(_) -> new Outcome.Rejected(Reason.PERSON_HAS_ANOTHER);
      case Linking.Unknown() -> new Outcome.Rejected(Reason.LOCAL_NAME_UNKNOWN);
    };
  }

  /** Rejects lines with unknown people, and writes the others at once. */
  private List<Outcome> federate(
      Realm realm,
      List<Line> lines,
      boolean needsName,
      BiFunction<List<Line>, List<PersonId>, List<Outcome>> write) {
    Map<String, NameOwner> owners = owners(realm, lines.stream().map(Line::local).toList());
    Map<Integer, Outcome> rejected = new HashMap<>();
    List<Line> wanted = new ArrayList<>();
    List<PersonId> people = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      Line line = lines.get(i);
      NameOwner owner = owners.getOrDefault(line.local(), new NameOwner.None());
      Optional<Reason> reason = unusable(line, needsName).or(() -> unknown(owner));
      if (reason.isPresent()) {
        rejected.put(i, new Outcome.Rejected(reason.get()));
      } else if (owner instanceof NameOwner.One(PersonId id)) {
        wanted.add(line);
        people.add(id);
      }
    }
    List<Outcome> written = wanted.isEmpty() ? List.of() : write.apply(wanted, people);
    List<Outcome> outcomes = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < lines.size(); i++) {
      Optional<Outcome> before = Optional.ofNullable(rejected.get(i));
      outcomes.add(before.isPresent() ? before.get() : written.get(next++));
    }
    return outcomes;
  }

  private static Optional<Reason> unusable(Line line, boolean needsName) {
    if (line.nameId().isEmpty()) {
      return needsName ? Optional.of(Reason.NAME_ID_MISSING) : Optional.empty();
    }
    String value = line.nameId().get();
    boolean usable =
        !value.isBlank()
            && value.length() <= PersistentNameId.MAX_CHARACTERS
            && value.codePoints().noneMatch(Character::isISOControl);
    return usable ? Optional.empty() : Optional.of(Reason.NAME_ID_UNUSABLE);
  }

  private static Optional<Reason> unknown(NameOwner owner) {
    return switch (owner) {
      case NameOwner.One(_) -> Optional.empty();
      case NameOwner.None() -> Optional.of(Reason.LOCAL_NAME_UNKNOWN);
      case NameOwner.Several() -> Optional.of(Reason.LOCAL_NAME_AMBIGUOUS);
    };
  }

  /** Returns the owners of names; in a realm without directory an account is identified by its name. */
  private Map<String, NameOwner> owners(Realm realm, Collection<String> names) {
    if (realm.directory().isPresent()) {
      return directories.of(realm).owners(names);
    }
    Map<String, NameOwner> owners = new HashMap<>();
    names.forEach(
        name -> owners.put(name, name.isBlank() || !StringPreparation.keeps(name) ? new NameOwner.None() : new NameOwner.One(new PersonId(name))));
    return owners;
  }
}
