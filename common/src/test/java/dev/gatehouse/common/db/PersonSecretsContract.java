package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.PersonSecrets.SealedSecret;
import dev.gatehouse.common.directory.PersonId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of {@link PersonSecrets}. */
abstract class PersonSecretsContract {

  private static final PersonId ALICE = new PersonId("https://idp.example!alice");
  private static final PersonId BOB = new PersonId("https://idp.example!bob");

  protected abstract PersonSecrets secrets();

  @Test
  void areThosePeoplesInThatRealmAlone() {
    secrets().put("demo", ALICE, secret("shop", "password", "one"));
    assertThat(secrets().ofPerson("demo", ALICE)).extracting(SealedSecret::app).containsExactly("shop");
    assertThat(secrets().ofPerson("demo", BOB)).isEmpty();
    assertThat(secrets().ofPerson("other", ALICE)).isEmpty();
  }

  @Test
  void areListedByAppAndNameAndReplaced() {
    secrets().put("demo", ALICE, secret("shop", "user", "al"));
    secrets().put("demo", ALICE, secret("shop", "password", "one"));
    secrets().put("demo", ALICE, secret("archive", "password", "two"));
    secrets().put("demo", ALICE, secret("shop", "password", "three"));
    List<SealedSecret> all = secrets().ofPerson("demo", ALICE);
    assertThat(all).extracting(s -> s.app() + "/" + s.name())
        .containsExactly("archive/password", "shop/password", "shop/user");
    assertThat(all.get(1).sealedValue()).isEqualTo("three".getBytes(StandardCharsets.UTF_8));
    assertThat(all.get(1).changedAt()).isEqualTo(new TestTime().instant());
  }

  @Test
  void areRemovedByApp() {
    secrets().put("demo", ALICE, secret("shop", "user", "al"));
    secrets().put("demo", ALICE, secret("shop", "password", "one"));
    secrets().put("demo", ALICE, secret("shop-2", "password", "two"));
    secrets().put("demo", BOB, secret("shop", "password", "bob's"));
    assertThat(secrets().remove("demo", ALICE, "shop")).isTrue();
    assertThat(secrets().remove("demo", ALICE, "shop")).isFalse();
    assertThat(secrets().ofPerson("demo", ALICE)).extracting(SealedSecret::app).containsExactly("shop-2");
    assertThat(secrets().ofPerson("demo", BOB)).hasSize(1);
  }

  @Test
  void twoTabsAtOnceLeaveOne() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<? extends Future<?>> running =
          IntStream.range(0, 16)
              .mapToObj(i -> threads.submit(() -> secrets().put("demo", ALICE, secret("shop", "password", "p" + i))))
              .toList();
      for (Future<?> one : running) {
        one.get();
      }
    }
    assertThat(secrets().ofPerson("demo", ALICE)).hasSize(1);
  }

  private static SealedSecret secret(String app, String name, String value) {
    return new SealedSecret(app, name, value.getBytes(StandardCharsets.UTF_8), new TestTime().instant());
  }
}
