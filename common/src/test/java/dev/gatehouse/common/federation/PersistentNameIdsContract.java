package dev.gatehouse.common.federation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.gatehouse.common.directory.NamePairs;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.federation.PersistentNameIds.Giving;
import dev.gatehouse.common.federation.PersistentNameIds.Wanted;
import dev.gatehouse.common.store.Race;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The contract of persistent NameIDs, for every implementation of {@link NamePairs}. */
public abstract class PersistentNameIdsContract {

  protected static final String PARTNER = "https://sp.example/metadata";

  /** Returns empty pairs of the kind GIVEN; the same ones during a test. */
  protected abstract NamePairs pairs();

  /** Returns the id of alice, bob, eve, or person-0 to person-9. */
  protected PersonId person(String name) {
    return new PersonId(name + "-uuid");
  }

  private PersistentNameIds nameIds() {
    return new PairedPersistentNameIds(realm -> pairs());
  }

  private PersonId alice() {
    return person("alice");
  }

  private PersonId bob() {
    return person("bob");
  }

  private String create(PersonId person, String value) {
    return nameIds().findOrCreate("demo", PARTNER, person, () -> value).value();
  }

  private Optional<PersonId> named(String value) {
    return nameIds().named("demo", PARTNER, value).map(PersistentNameId::person);
  }

  private static String fresh() {
    return UUID.randomUUID().toString();
  }

  @Test
  void givesThePersonTheSameNameEachTime() {
    assertThat(nameIds().find("demo", PARTNER, alice())).isEmpty();
    assertThat(create(alice(), "first")).isEqualTo("first");
    assertThat(create(alice(), "second")).isEqualTo("first");
    assertThat(nameIds().find("demo", PARTNER, alice()).map(PersistentNameId::value)).contains("first");
    assertThat(named("first")).contains(alice());
    assertThat(named("FIRST")).isEmpty();
    assertThat(named("first ")).isEmpty();
    assertThat(named("*")).isEmpty();
  }

  @Test
  void keepsRealmsAndPartnersApart() {
    create(alice(), "first");
    assertThat(nameIds().find("demo2", PARTNER, alice())).isEmpty();
    assertThat(nameIds().find("demo", PARTNER + "2", alice())).isEmpty();
    assertThat(nameIds().named("demo2", PARTNER, "first")).isEmpty();
    assertThat(nameIds().named("demo", PARTNER + "2", "first")).isEmpty();
    assertThat(nameIds().findOrCreate("demo2", PARTNER, bob(), () -> "first").value()).isEqualTo("first");
  }

  @Test
  void neverGivesOneNameToTwo() {
    create(alice(), "first");
    Iterator<String> values = List.of("first", "first", "third").iterator();
    assertThat(nameIds().findOrCreate("demo", PARTNER, bob(), values::next).value()).isEqualTo("third");
    assertThat(named("first")).contains(alice());
    assertThatIllegalStateException().isThrownBy(() -> create(person("eve"), "first"));
  }

  @Test
  void givesParallelCallersTheSameName() throws Exception {
    for (int round = 0; round < 10; round++) {
      PersonId person = person("person-" + round);
      List<String> names =
          Race.of(
              16,
              i -> () -> nameIds().findOrCreate("demo", PARTNER, person, PersistentNameIdsContract::fresh).value());
      assertThat(new HashSet<>(names)).hasSize(1);
      assertThat(named(names.getFirst())).contains(person);
    }
  }

  @Test
  void takesLongNamesLiterally() {
    String partner = "https://sp.example/" + "x".repeat(1000);
    String value = "'; drop table x; --|*)(%5c\\ \u0001" + "ä".repeat(200);
    assertThat(nameIds().findOrCreate("demo", partner, alice(), () -> value).value()).isEqualTo(value);
    assertThat(nameIds().named("demo", partner, value).map(PersistentNameId::person)).contains(alice());
    assertThat(nameIds().ofPerson("demo", alice())).extracting(PersistentNameId::partner).containsExactly(partner);
  }

  @Test
  void neverGivesATerminatedNameAgain() {
    create(alice(), "first");
    assertThat(nameIds().terminate("demo", PARTNER, "first").map(PersistentNameId::person)).contains(alice());
    assertThat(nameIds().terminate("demo", PARTNER, "first")).isEmpty();
    assertThat(named("first")).isEmpty();
    assertThat(nameIds().find("demo", PARTNER, alice())).isEmpty();
    Iterator<String> values = List.of("first", "second").iterator();
    assertThat(nameIds().findOrCreate("demo", PARTNER, alice(), values::next).value()).isEqualTo("second");
    assertThatIllegalStateException().isThrownBy(() -> create(bob(), "first"));
    assertThat(nameIds().giveAll("demo", PARTNER, List.of(new Wanted(bob(), Optional.of("first"))), () -> "x"))
        .containsExactly(new Giving.Taken());
    assertThat(nameIds().find("demo", PARTNER, bob())).isEmpty();
  }

  @Test
  void changesANameAndRetiresTheOld() {
    create(alice(), "first");
    nameIds().provide("demo", PARTNER, "first", Optional.of("al"));
    create(bob(), "taken");
    Iterator<String> values = List.of("taken", "new").iterator();
    PersistentNameId changed = nameIds().change("demo", PARTNER, "first", values::next).orElseThrow();
    assertThat(changed.value()).isEqualTo("new");
    assertThat(changed.spProvidedId()).contains("al");
    assertThat(nameIds().find("demo", PARTNER, alice())).contains(changed);
    assertThat(named("first")).isEmpty();
    assertThat(named("taken")).contains(bob());
    assertThat(nameIds().change("demo", PARTNER, "first", () -> "other")).isEmpty();
    assertThatIllegalStateException().isThrownBy(() -> create(person("eve"), "first"));
  }

  @Test
  void keepsWhatTheServiceProviderCallsThePerson() {
    create(alice(), "first");
    assertThat(nameIds().provide("demo", PARTNER, "first", Optional.of("a|l (*)")).orElseThrow().spProvidedId())
        .contains("a|l (*)");
    assertThat(nameIds().provide("demo", PARTNER, "first", Optional.of("al2"))).isPresent();
    assertThat(nameIds().find("demo", PARTNER, alice()).orElseThrow().spProvidedId()).contains("al2");
    assertThat(nameIds().provide("demo", PARTNER, "first", Optional.empty()).orElseThrow().spProvidedId()).isEmpty();
    assertThat(nameIds().provide("demo", PARTNER, "other", Optional.of("x"))).isEmpty();
  }

  @Test
  void listsByPersonAndByPartner() {
    create(alice(), "b");
    create(bob(), "a");
    create(person("eve"), "c");
    nameIds().findOrCreate("demo", "https://other.example", alice(), () -> "z");
    assertThat(nameIds().ofPerson("demo", alice())).extracting(PersistentNameId::value).containsExactly("z", "b");
    List<PersistentNameId> first = nameIds().page("demo", PARTNER, "", 2);
    assertThat(first).hasSize(2);
    List<PersistentNameId> second = nameIds().page("demo", PARTNER, first.getLast().value(), 2);
    assertThat(second).hasSize(1);
    assertThat(List.of(first.getFirst().value(), first.getLast().value(), second.getFirst().value()))
        .containsExactlyInAnyOrder("a", "b", "c");
    assertThat(nameIds().page("demo", PARTNER, second.getLast().value(), 2)).isEmpty();
  }

  @Test
  void givesManyAtOnce() {
    create(bob(), "bobs");
    List<Wanted> wanted =
        List.of(
            new Wanted(alice(), Optional.of("first")),
            new Wanted(bob(), Optional.of("other")),
            new Wanted(bob(), Optional.empty()),
            new Wanted(person("eve"), Optional.of("first")),
            new Wanted(person("eve"), Optional.of("bobs")),
            new Wanted(person("eve"), Optional.empty()),
            new Wanted(alice(), Optional.of("first")));
    List<Giving> givings = nameIds().giveAll("demo", PARTNER, wanted, PersistentNameIdsContract::fresh);
    assertThat(givings.get(0)).isInstanceOfSatisfying(Giving.Given.class, g -> assertThat(g.isNew()).isTrue());
    assertThat(givings.get(1))
        .isInstanceOfSatisfying(Giving.HasAnother.class, g -> assertThat(g.present().value()).isEqualTo("bobs"));
    assertThat(givings.get(2))
        .isInstanceOfSatisfying(
            Giving.Given.class,
            g -> {
              assertThat(g.isNew()).isFalse();
              assertThat(g.nameId().value()).isEqualTo("bobs");
            });
    assertThat(givings.get(3)).isEqualTo(new Giving.Taken());
    assertThat(givings.get(4)).isEqualTo(new Giving.Taken());
    assertThat(givings.get(5)).isInstanceOf(Giving.Given.class);
    assertThat(givings.get(6)).isInstanceOfSatisfying(Giving.Given.class, g -> assertThat(g.isNew()).isFalse());
    assertThat(named("first")).contains(alice());
  }
}
