package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.NamePairs.Kind;
import dev.gatehouse.common.directory.NamePairs.NewPair;
import dev.gatehouse.common.federation.AccountLinksContract;
import dev.gatehouse.common.federation.PersistentNameIdsContract;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** The cache is noticeable only for changes without its knowledge. */
class CachedNamePairsTest {

  private static final PersonId ALICE = new PersonId("alice");

  @Nested
  class Given extends PersistentNameIdsContract {
    private final NamePairs pairs =
        new CachedNamePairs(new MemoryNamePairs(Kind.GIVEN, new TestTime()), Duration.ofMinutes(1));

    @Override
    protected NamePairs pairs() {
      return pairs;
    }
  }

  @Nested
  class Linked extends AccountLinksContract {
    private final NamePairs pairs =
        new CachedNamePairs(new MemoryNamePairs(Kind.LINKED, new TestTime()), Duration.ofMinutes(1));

    @Override
    protected NamePairs pairs() {
      return pairs;
    }
  }

  @Test
  void remembersWhatIsThereAndNotWhatIsMissing() {
    NamePairs store = new MemoryNamePairs(Kind.LINKED, new TestTime());
    NamePairs cached = new CachedNamePairs(store, Duration.ofMinutes(1));
    assertThat(cached.byName("demo", "idp", "n")).isEmpty();
    store.add("demo", "idp", new NewPair(ALICE, "n"));
    assertThat(cached.byName("demo", "idp", "n")).isPresent();
    assertThat(cached.byPerson("demo", "idp", ALICE)).isPresent();
    store.remove("demo", "idp", "n");
    assertThat(cached.byName("demo", "idp", "n")).as("behind its back").isPresent();
    assertThat(cached.remove("demo", "idp", "n")).as("somebody else had removed it").isEmpty();
    assertThat(cached.byName("demo", "idp", "n")).isEmpty();
  }

  @Test
  void forgetsBothWaysWhatItChanges() {
    NamePairs cached = new CachedNamePairs(new MemoryNamePairs(Kind.GIVEN, new TestTime()), Duration.ofMinutes(1));
    cached.add("demo", "sp", new NewPair(ALICE, "n"));
    cached.byName("demo", "sp", "n");
    cached.byPerson("demo", "sp", ALICE);
    cached.provide("demo", "sp", "n", Optional.of("al"));
    assertThat(cached.byName("demo", "sp", "n").orElseThrow().spProvidedId()).contains("al");
    assertThat(cached.byPerson("demo", "sp", ALICE).orElseThrow().spProvidedId()).contains("al");
    cached.rename("demo", "sp", "n", "m");
    assertThat(cached.byName("demo", "sp", "n")).isEmpty();
    assertThat(cached.byPerson("demo", "sp", ALICE).orElseThrow().name()).isEqualTo("m");
    cached.remove("demo", "sp", "m");
    assertThat(cached.byPerson("demo", "sp", ALICE)).isEmpty();
  }

  @Test
  void pairsWithoutAnAgeCountUntilAChangeIsHeardAndWhileOneWouldBe() {
    AtomicReference<OptionalLong> heard = new AtomicReference<>(OptionalLong.of(1));
    NamePairs store = new MemoryNamePairs(Kind.LINKED, new TestTime());
    NamePairs cached = new CachedNamePairs(store, heard::get);
    store.add("demo", "idp", new NewPair(ALICE, "n"));
    assertThat(cached.byName("demo", "idp", "n")).isEqualTo(store.byName("demo", "idp", "n"));
    assertThat(cached.byPerson("demo", "idp", ALICE)).isEqualTo(store.byName("demo", "idp", "n"));
    store.remove("demo", "idp", "n");
    assertThat(cached.byName("demo", "idp", "n")).as("nobody has said anything").isPresent();
    assertThat(cached.byPerson("demo", "idp", ALICE)).isPresent();
    heard.set(OptionalLong.empty());
    assertThat(cached.byName("demo", "idp", "n")).as("a change could stay unheard").isEmpty();
    heard.set(OptionalLong.of(2));
    assertThat(cached.byName("demo", "idp", "n")).isEmpty();
    assertThat(cached.byPerson("demo", "idp", ALICE)).isEmpty();
  }

  /** Whoever removes a link, and is told that this failed, may have removed it: without an age it would count until the next start. */
  @Test
  void nothingCountsThatWasReadBeforeAChangeThatFailed() {
    NamePairs store = new MemoryNamePairs(Kind.LINKED, new TestTime());
    NamePairs lossy =
        (NamePairs)
            Proxy.newProxyInstance(
                NamePairs.class.getClassLoader(),
                new Class<?>[] {NamePairs.class},
                (_, method, arguments) -> {
                  Object result = method.invoke(store, arguments);
                  if (method.getName().equals("remove")) {
                    throw new IllegalStateException("the connection was lost after the commit");
                  }
                  return result;
                });
    NamePairs cached = new CachedNamePairs(lossy, () -> OptionalLong.of(0));
    cached.add("demo", "idp", new NewPair(ALICE, "n"));
    assertThat(cached.byName("demo", "idp", "n")).isPresent();
    assertThat(cached.byPerson("demo", "idp", ALICE)).isPresent();
    assertThatThrownBy(() -> cached.remove("demo", "idp", "n")).isInstanceOf(IllegalStateException.class);
    assertThat(cached.byName("demo", "idp", "n")).isEmpty();
    assertThat(cached.byPerson("demo", "idp", ALICE)).isEmpty();
  }
}
