package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When a person's data are read again. */
final class PersonSnapshotTest {

  private static final Instant READ_AT = Instant.parse("2026-11-29T12:00:00Z");

  private static List<PersonSnapshot> numberedPeople(int count) {
    return IntStream.range(0, count)
        .mapToObj(n -> new Person(new PersonId("u%05d".formatted(n)), "u" + n, "uid=u" + n, Map.of(), List.of(), Set.of()))
        .map(person -> PersonSnapshot.of(person, READ_AT))
        .toList();
  }

  private static long stale(List<PersonSnapshot> snapshots, Duration age) {
    return snapshots.stream().filter(snapshot -> snapshot.isStale(READ_AT.plus(age))).count();
  }

  @Test
  void peopleReadInOneSecondAreReadAgainOneAfterAnother() {
    List<PersonSnapshot> all = numberedPeople(10_000);
    assertThat(stale(all, PersonSnapshot.YOUNG.minusMillis(1))).isZero();
    for (int second = 21; second < 30; second++) {
      long more = stale(all, Duration.ofSeconds(second)) - stale(all, Duration.ofSeconds(second - 1));
      assertThat(more).as("in second %d", second).isBetween(800L, 1_200L);
    }
    assertThat(stale(all, PersonSnapshot.OLD)).isEqualTo(all.size());
  }
}
