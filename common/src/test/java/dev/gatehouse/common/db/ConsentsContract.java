package dev.gatehouse.common.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.Consents.Consent;
import dev.gatehouse.common.directory.PersonId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of {@link Consents}. */
abstract class ConsentsContract {

  private static final PersonId ALICE = new PersonId("alice-uuid");
  private static final PersonId BOB = new PersonId("bob-uuid");
  private static final String APP = "https://app.example/saml";

  protected final TestTime time = new TestTime();

  protected abstract Consents consents();

  @Test
  void isRememberedForThatRealmPartnerAndPersonAlone() {
    consents().give("demo", APP, ALICE, Set.of("uid", "mail"));
    assertThat(consents().find("demo", APP, ALICE)).contains(new Consent(APP, Set.of("mail", "uid"), time.instant()));
    assertThat(consents().find("demo", APP, BOB)).isEmpty();
    assertThat(consents().find("other", APP, ALICE)).isEmpty();
    assertThat(consents().find("demo", "https://wiki.example", ALICE)).isEmpty();
  }

  @Test
  void growsWithWhatIsAgreedToLater() {
    consents().give("demo", APP, ALICE, Set.of("uid"));
    time.advance(Duration.ofDays(1));
    consents().give("demo", APP, ALICE, Set.of("mail"));
    Consent consent = consents().find("demo", APP, ALICE).orElseThrow();
    assertThat(consent.covers(Set.of("uid", "mail"))).isTrue();
    assertThat(consent.covers(Set.of("uid", "cn"))).isFalse();
    assertThat(consent.since()).isEqualTo(time.instant());
  }

  /** Whatever characters a name contains: it was one item of the page, and stays one. */
  @Test
  void aNameNeverCountsForSeveral() {
    Set<String> names = Set.of("claim:theme\nemail\noffline_access", "a,b", "a b", "tab\tname");
    consents().give("demo", APP, ALICE, names);
    consents().give("demo", APP, ALICE, Set.of("openid"));
    Consent consent = consents().find("demo", APP, ALICE).orElseThrow();
    for (String part : List.of("email", "offline_access", "claim:theme", "a", "b", "tab", "name", "")) {
      assertThat(consent.covers(Set.of(part))).as(part).isFalse();
    }
    assertThat(consent.covers(names)).isTrue();
    assertThat(consents().ofPerson("demo", ALICE)).containsExactly(consent);
  }

  @Test
  void nothingIsAnAnswerToo() {
    consents().give("demo", APP, ALICE, Set.of());
    assertThat(consents().find("demo", APP, ALICE).orElseThrow().attributes()).isEmpty();
  }

  @Test
  void isListedAndRevoked() {
    consents().give("demo", APP, ALICE, Set.of("uid"));
    consents().give("demo", "https://wiki.example", ALICE, Set.of("uid"));
    consents().give("demo", APP, BOB, Set.of("uid"));
    assertThat(consents().ofPerson("demo", ALICE)).extracting(Consent::partner).containsExactly(APP, "https://wiki.example");
    assertThat(consents().revoke("demo", APP, ALICE)).isTrue();
    assertThat(consents().revoke("demo", APP, ALICE)).isFalse();
    assertThat(consents().find("demo", APP, ALICE)).isEmpty();
    assertThat(consents().find("demo", APP, BOB)).isPresent();
  }

  @Test
  void parallelAnswersLeaveOneEntry() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<? extends java.util.concurrent.Future<?>> running =
          java.util.stream.IntStream.range(0, 16)
              .mapToObj(i -> threads.submit(() -> consents().give("demo", APP, ALICE, Set.of("uid"))))
              .toList();
      for (var one : running) {
        one.get();
      }
    }
    assertThat(consents().ofPerson("demo", ALICE)).hasSize(1);
  }
}
