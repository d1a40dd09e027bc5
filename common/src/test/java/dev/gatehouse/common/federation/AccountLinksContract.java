package dev.gatehouse.common.federation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.directory.NamePairs;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.federation.AccountLinks.Linking;
import dev.gatehouse.common.federation.AccountLinks.Pair;
import dev.gatehouse.common.store.Race;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The contract of account links, for every implementation of {@link NamePairs}. */
public abstract class AccountLinksContract {

  protected static final String IDP = "https://idp.example/realms/demo";

  /** Returns empty pairs of the kind LINKED; the same ones during a test. */
  protected abstract NamePairs pairs();

  /** Returns the id of alice, bob, eve, or person-0 to person-9. */
  protected PersonId person(String name) {
    return new PersonId(name + "-uuid");
  }

  private AccountLinks links() {
    return new PairedAccountLinks(realm -> pairs());
  }

  private Linking link(String nameId, String person) {
    return links().link("demo", IDP, nameId, person(person));
  }

  private Optional<PersonId> account(String nameId) {
    return links().find("demo", IDP, nameId).map(AccountLink::account);
  }

  private static boolean isNew(Linking linking) {
    return linking instanceof Linking.Linked(var link, boolean isNew) && isNew;
  }

  @Test
  void leadsFromTheNameToTheAccountAndBack() {
    assertThat(account("n1")).isEmpty();
    assertThat(isNew(link("n1", "alice"))).isTrue();
    assertThat(account("n1")).contains(person("alice"));
    assertThat(account("N1")).isEmpty();
    assertThat(links().ofAccount("demo", IDP, person("alice")).map(AccountLink::nameId)).contains("n1");
    assertThat(links().ofAccount("demo", person("alice"))).extracting(AccountLink::identityProvider).containsExactly(IDP);
    assertThat(link("n1", "alice"))
        .isInstanceOfSatisfying(Linking.Linked.class, linked -> assertThat(linked.isNew()).isFalse());
  }

  @Test
  void isUniqueBothWays() {
    link("n1", "alice");
    assertThat(link("n1", "bob")).isEqualTo(new Linking.NameTaken());
    assertThat(link("n2", "alice"))
        .isInstanceOfSatisfying(
            Linking.AccountTaken.class, taken -> assertThat(taken.present().nameId()).isEqualTo("n1"));
    assertThat(account("n1")).contains(person("alice"));
    assertThat(account("n2")).isEmpty();
    assertThat(isNew(links().link("demo2", IDP, "n1", person("bob")))).isTrue();
    assertThat(isNew(links().link("demo", IDP + "2", "n2", person("alice")))).isTrue();
  }

  @Test
  void lastsUntilUnlinkedAndMayBeLinkedAgain() {
    link("n1", "alice");
    assertThat(links().unlink("demo2", IDP, "n1")).isEmpty();
    assertThat(links().unlink("demo", IDP, "n1").map(AccountLink::account)).contains(person("alice"));
    assertThat(links().unlink("demo", IDP, "n1")).isEmpty();
    assertThat(account("n1")).isEmpty();
    assertThat(links().ofAccount("demo", person("alice"))).isEmpty();
    assertThat(isNew(link("n1", "bob"))).isTrue();
    assertThat(isNew(link("n2", "alice"))).isTrue();
  }

  @Test
  void takesANewNameFromTheIdentityProvider() {
    link("n1", "alice");
    link("n2", "bob");
    assertThat(links().change("demo", IDP, "n1", "n2")).isEqualTo(new Linking.NameTaken());
    assertThat(links().change("demo", IDP, "n9", "n3")).isEqualTo(new Linking.Unknown());
    assertThat(isNew(links().change("demo", IDP, "n1", "n3"))).isTrue();
    assertThat(account("n3")).contains(person("alice"));
    assertThat(account("n1")).isEmpty();
    assertThat(account("n2")).contains(person("bob"));
    assertThat(links().change("demo", IDP, "n3", "n3")).isInstanceOf(Linking.Linked.class);
  }

  @Test
  void keepsWhatWeToldTheIdentityProvider() {
    link("n1", "alice");
    assertThat(links().provide("demo", IDP, "n1", Optional.of("alice@here")).orElseThrow().spProvidedId())
        .contains("alice@here");
    assertThat(links().find("demo", IDP, "n1").orElseThrow().spProvidedId()).contains("alice@here");
    assertThat(links().provide("demo", IDP, "n9", Optional.of("x"))).isEmpty();
  }

  @Test
  void letsOneOfManyAccountsHaveAName() throws Exception {
    for (int round = 0; round < 5; round++) {
      String nameId = "n" + round;
      List<Linking> all = Race.of(10, i -> () -> link(nameId, "person-" + i));
      assertThat(all).filteredOn(Predicate.not(new Linking.NameTaken()::equals)).hasSize(1);
      PersonId winner = account(nameId).orElseThrow();
      assertThat(all).filteredOn(AccountLinksContract::isNew).hasSize(1);
      assertThat(links().unlink("demo", IDP, nameId).map(AccountLink::account)).contains(winner);
      for (int i = 0; i < 10; i++) {
        assertThat(links().ofAccount("demo", person("person-" + i))).isEmpty();
      }
    }
  }

  @Test
  void letsAnAccountHaveOneOfManyNames() throws Exception {
    List<Linking> all = Race.of(10, i -> () -> link("n" + i, "alice"));
    assertThat(all).filteredOn(AccountLinksContract::isNew).hasSize(1);
    assertThat(all).filteredOn(Linking.AccountTaken.class::isInstance).hasSize(9);
    assertThat(links().page("demo", IDP, "", 100)).hasSize(1);
  }

  @Test
  void linksManyAtOnce() {
    link("n1", "alice");
    List<Linking> all =
        links()
            .linkAll(
                "demo",
                IDP,
                List.of(
                    new Pair("n1", person("alice")),
                    new Pair("n1", person("bob")),
                    new Pair("n2", person("bob")),
                    new Pair("n2", person("eve")),
                    new Pair("n3", person("bob"))));
    assertThat(all.get(0)).isInstanceOfSatisfying(Linking.Linked.class, one -> assertThat(one.isNew()).isFalse());
    assertThat(all.get(1)).isEqualTo(new Linking.NameTaken());
    assertThat(isNew(all.get(2))).isTrue();
    assertThat(all.get(3)).isEqualTo(new Linking.NameTaken());
    assertThat(all.get(4)).isInstanceOf(Linking.AccountTaken.class);
    assertThat(account("n2")).contains(person("bob"));
    assertThat(links().linkAll("demo", IDP, List.of())).isEmpty();
  }
}
