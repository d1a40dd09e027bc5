package dev.gatehouse.common.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.Eventually;
import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.PlainSession;
import dev.gatehouse.common.valkey.NearEntries.Entry;
import dev.gatehouse.common.valkey.NearEntries.Name;
import dev.gatehouse.common.valkey.SessionSeal.Sealed;
import dev.gatehouse.common.valkey.SessionSeal.Stored;
import java.time.InstantSource;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What sessions in memory may take, in nodes with a small heap too. */
class NearEntriesTest {

  private static final long SMALL_HEAP = 192L << 20;

  /** A session whose record has 500 bytes, of which the report of {@code bench sessions --near} measured 3,855. */
  private static final Stored<String> USUAL = new Stored<>(1, "session", 500);

  private static Name name(String kind, int number) {
    return new Name(kind, "member" + number);
  }

  private static long kept(NearEntries entries, String kind, int count) {
    return IntStream.range(0, count).filter(number -> entries.find(name(kind, number)) != null).count();
  }

  private static void keep(NearEntries entries, String kind, int count, Stored<?> stored) {
    IntStream.range(0, count).forEach(number -> entries.keep(name(kind, number), new Entry<>(stored, 0, 1), () -> true));
  }

  @Test
  void theEstimateIsNotBelowWhatWasMeasured() {
    assertThat(USUAL.bytes()).isBetween(3_855, 8_000);
    assertThat(new Stored<>(1, "session", Integer.MAX_VALUE).bytes()).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void allKindsHaveASixthOfASmallHeapTogether() {
    NearEntries entries = new NearEntries(NearEntries.room(SMALL_HEAP));
    int many = 20_000;
    keep(entries, "idp", many, USUAL);
    keep(entries, "app", many, USUAL);
    long most = (SMALL_HEAP / 6) / USUAL.bytes();
    Eventually.holds(() -> kept(entries, "idp", many) + kept(entries, "app", many) <= most);
    assertThat(kept(entries, "idp", many) + kept(entries, "app", many)).isGreaterThan(most / 2);
  }

  @Test
  void sessionsWithManyGroupsAreFewer() {
    NearEntries entries = new NearEntries(1 << 20);
    keep(entries, "app", 1_000, new Stored<>(1, "session", 50_000));
    Eventually.holds(() -> kept(entries, "app", 1_000) <= 5);
  }

  /** A change makes all entries of its counter be read again. */
  @Test
  void theLargestHeapHoldsNoMoreThanTheMost() {
    NearEntries entries = new NearEntries(8L << 30);
    int more = NearEntries.MOST + 1_000;
    Stored<String> stored = new Stored<>(1, "session", 10);
    keep(entries, "app", more, stored);
    Eventually.holds(() -> kept(entries, "app", more) <= NearEntries.MOST);
  }

  @Test
  void whatDoesNotHoldAnyMoreIsRemoved() {
    NearEntries entries = new NearEntries(1 << 20);
    keep(entries, "app", 1, USUAL);
    entries.keep(name("app", 0), new Entry<>(USUAL, 1, 1), () -> false);
    assertThat(kept(entries, "app", 1)).isZero();
  }

  /** The length of the record is that before compression. */
  @Test
  void whatIsWrittenHasTheLengthOfItsRecordAndABoundToo() {
    Names names = new Names("near", SealingKey.inMemory(new Random(3)), new Random(3), new UnreadRecords(InstantSource.system()));
    SessionNames where = new SessionNames(names, "app");
    SessionSeal<PlainSession> seal = new SessionSeal<>(names, where, PlainSession.CODEC);
    WrittenSessions<PlainSession> written = new WrittenSessions<>(1 << 20);
    Set<String> groups = Set.of("group".repeat(4_000));
    Random random = new Random(3);
    int many = 200;
    SessionNames.Place[] places = new SessionNames.Place[many];
    for (int number = 0; number < many; number++) {
      PlainSession session =
          new PlainSession(
              SessionToken.create(random).id(), "demo", new PersonId("alice"), TestTime.START, TestTime.START.plusSeconds(60), groups, 0);
      places[number] = where.of(session.id());
      Sealed<PlainSession> sealed = seal.sealed(places[number], 1, session);
      assertThat(sealed.stored().length()).isGreaterThan(20_000);
      assertThat(seal.opened(places[number].memberText(), new SessionSeal.Raw(sealed.value(), null))).contains(sealed.stored());
      written.add(places[number], sealed, 1);
    }
    Eventually.holds(() -> IntStream.range(0, many).filter(number -> written.find(places[number]).isPresent()).count() <= 12);
  }
}
