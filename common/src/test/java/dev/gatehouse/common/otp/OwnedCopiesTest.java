package dev.gatehouse.common.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.Tokens.Owned;
import dev.gatehouse.common.space.GuardedStores;
import dev.gatehouse.common.store.RocksStores;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A copy says what the rows say, whoever changed them. */
final class OwnedCopiesTest {

  private static final String REALM = "demo";
  private static final PersonId ALICE = new PersonId("alice");
  private static final PersonId BOB = new PersonId("bob");
  private static final List<PersonId> PEOPLE = List.of(ALICE, BOB, new PersonId("carol"), new PersonId("dave"));
  private static final int MOST = 10;
  private static final UseJournal.Limits NOT_BY_ITSELF = new UseJournal.Limits(Duration.ofDays(1), 1_000);

  private final TestTime time = new TestTime();
  private final Database database = Database.inMemory();
  private final JdbcTokens rows = new JdbcTokens(database);
  private final TokenRegister register = new TokenRegister(database);
  private final KnownPeople known = new KnownPeople(database);
  private final JdbcSecondFactors factors = new JdbcSecondFactors(database);
  private final JdbcClient uncounted = JdbcClient.create(database.dataSource());
  private final AtomicBoolean isSpaceLow = new AtomicBoolean();
  private RocksStores stores;
  private UseJournal journal;
  private Tokens tokens;
  private int seeds;

  @BeforeEach
  void start(@TempDir Path data) {
    stores = new RocksStores(data, time);
    journal = UseJournal.open(database, new GuardedStores(stores, isSpaceLow::get), time, NOT_BY_ITSELF).orElseThrow();
    tokens = journal.tokens(rows);
  }

  @AfterEach
  void close() {
    journal.close();
    stores.close();
    database.close();
  }

  private void add(String serial) {
    byte[] seed = ByteBuffer.allocate(Integer.BYTES).putInt(++seeds).array();
    rows.add(REALM, List.of(Token.created(serial, TokenType.USUAL, seed, -1, Optional.empty())));
  }

  private Tokens.Used used(String serial, PersonId person, long step) {
    Token token = rows.find(REALM, serial).orElseThrow();
    return new Tokens.Used(token, new Tokens.Use(serial, person, step, (int) step % 7 - 3, time.instant()));
  }

  /** As it is by the rows and what waits, without copies. */
  private Owned expected(PersonId person) {
    Owned owned = rows.owned(REALM, person);
    return new Owned(owned.holder(), owned.tokens().stream().map(token -> journal.current(REALM, token)).toList());
  }

  private int wrong(PersonId person) {
    return tokens.owned(REALM, person).holder().wrong();
  }

  private void set(PersonId person, int wrong) {
    uncounted.sql("update otp_person set wrong_passcodes = ? where person_id = ?").params(wrong, person.value()).update();
  }

  private void giveEach() {
    add("a");
    add("b");
    tokens.assign(REALM, "a", ALICE);
    tokens.assign(REALM, "b", BOB);
    wrong(ALICE);
    wrong(BOB);
  }

  @Test
  void rowsAreReadOnceAndAgainWhenTheyChangeForThatPerson() {
    giveEach();
    // Nobody does so: it shows where an answer comes from.
    set(ALICE, 3);
    set(BOB, 3);
    assertThat(wrong(ALICE)).as("a copy").isZero();
    assertThat(tokens.countWrong(REALM, ALICE, MOST, Optional.empty())).isEqualTo(4);
    assertThat(wrong(ALICE)).as("the row, after her change").isEqualTo(4);
    assertThat(wrong(BOB)).as("a copy: her change was not about him").isZero();
    tokens.change(REALM, "a", Token.State.DISABLED);
    assertThat(wrong(BOB)).as("the row, after a change that does not say about whom").isEqualTo(3);
  }

  @Test
  void aUseThatWasWrittenToItsRowIsKnown() {
    giveEach();
    tokens.keepUses(REALM, List.of(used("a", ALICE, 5)));
    journal.writeAll();
    assertThat(journal.waiting()).isZero();
    assertThat(tokens.owned(REALM, ALICE).tokens()).extracting(Token::lastUsed).containsExactly(5L);
    assertThat(tokens.owned(REALM, ALICE)).usingRecursiveComparison().isEqualTo(expected(ALICE));
    assertThat(tokens.counts(REALM, used("a", ALICE, 4), time.instant(), MOST)).as("an earlier code").isEmpty();
    assertThat(tokens.counts(REALM, used("a", ALICE, 5), time.instant(), MOST)).as("that code").isEmpty();
    assertThat(tokens.counts(REALM, used("a", ALICE, 6), time.instant(), MOST)).as("a later code").isPresent();
  }

  @Test
  void aUseThatIsWrittenBetweenTheTwoLooksCounts() {
    giveEach();
    tokens.keepUses(REALM, List.of(used("a", ALICE, 5)));
    journal.writeAll();
    tokens.owned(REALM, ALICE);
    tokens.keepUses(REALM, List.of(used("a", ALICE, 9)));
    journal.writeAll();
    assertThat(tokens.counts(REALM, used("a", ALICE, 9), time.instant(), MOST)).isEmpty();
    assertThat(tokens.counts(REALM, used("a", ALICE, 7), time.instant(), MOST)).isEmpty();
    assertThat(tokens.counts(REALM, used("a", ALICE, 10), time.instant(), MOST)).isPresent();
  }

  @Test
  void anEarlierUseThatWaitsDoesNotHideALaterOneOfTheRow() {
    giveEach();
    tokens.keepUses(REALM, List.of(used("a", ALICE, 9)));
    journal.writeAll();
    Token before = Token.created("a", TokenType.USUAL, rows.find(REALM, "a").orElseThrow().sealedSeed(), -1, Optional.empty());
    tokens.keepUses(REALM, List.of(new Tokens.Used(before, new Tokens.Use("a", ALICE, 7, 0, time.instant()))));
    assertThat(tokens.owned(REALM, ALICE).tokens()).extracting(Token::lastUsed).containsExactly(9L);
  }

  @Test
  void aUseOfWhoHadTheTokenBeforeIsKnownOfItsNextPerson() {
    giveEach();
    Tokens.Used hers = used("a", ALICE, 5);
    tokens.unassign(REALM, "a", ALICE);
    tokens.assign(REALM, "a", BOB);
    tokens.owned(REALM, BOB);
    // Kept and written after he has it.
    tokens.keepUses(REALM, List.of(hers));
    assertThat(tokens.owned(REALM, BOB)).usingRecursiveComparison().isEqualTo(expected(BOB));
    journal.writeAll();
    assertThat(tokens.owned(REALM, BOB)).usingRecursiveComparison().isEqualTo(expected(BOB));
    assertThat(tokens.owned(REALM, BOB).tokens().getFirst().lastUsed()).isEqualTo(5);
  }

  /** Otherwise somebody could guess without being counted while the database is away: a copy would admit the right guess. */
  @Test
  void aWrongPasscodeThatCannotBeCountedMakesTheCopyVoid() {
    giveEach();
    tokens.owned(REALM, ALICE);
    Tokens.Used right = used("a", ALICE, 5);
    uncounted.sql("alter table otp_person rename to otp_person_away").update();
    assertThatThrownBy(() -> tokens.countWrong(REALM, ALICE, MOST, Optional.empty())).isInstanceOf(DataAccessException.class);
    assertThatThrownBy(() -> tokens.owned(REALM, ALICE)).isInstanceOf(DataAccessException.class);
    assertThatThrownBy(() -> tokens.counts(REALM, right, time.instant(), MOST)).isInstanceOf(DataAccessException.class);
    uncounted.sql("alter table otp_person_away rename to otp_person").update();
    assertThat(tokens.counts(REALM, right, time.instant(), MOST)).isPresent();
  }

  @Test
  void whereNoCopyCanBeKeptRowsAreRead() {
    giveEach();
    tokens.keepUses(REALM, List.of(used("a", ALICE, 5), used("b", BOB, 6)));
    isSpaceLow.set(true);
    journal.writeAll();
    assertThat(tokens.owned(REALM, ALICE).tokens()).extracting(Token::lastUsed).containsExactly(5L);
    isSpaceLow.set(false);
    assertThat(tokens.owned(REALM, BOB).tokens()).extracting(Token::lastUsed).containsExactly(6L);
    assertThat(tokens.counts(REALM, used("b", BOB, 6), time.instant(), MOST)).isEmpty();
  }

  @Test
  void copiesSayWhatRowsSayAfterWhateverHappens() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      int kind = random.nextInt(27);
      happen(kind, random);
      time.advance(Duration.ofSeconds(1));
      for (PersonId person : PEOPLE) {
        assertThat(tokens.owned(REALM, person))
            .as("seed %s, step %s, %s", seed, i, kind)
            .usingRecursiveComparison()
            .isEqualTo(expected(person));
      }
    }
  }

  private void happen(int kind, Random random) {
    PersonId person = PEOPLE.get(random.nextInt(PEOPLE.size()));
    String serial = "t" + random.nextInt(6);
    Optional<Token> token = rows.find(REALM, serial);
    Optional<PersonId> owner = token.flatMap(Token::person);
    byte[] pins = {(byte) random.nextInt()};
    switch (kind) {
      case 0, 1 -> add(serial);
      case 2, 3, 4 -> token.ifPresent(known -> tokens.assign(REALM, serial, person));
      case 5 -> tokens.unassign(REALM, serial, person);
      case 6 -> tokens.remove(REALM, serial);
      case 7 -> tokens.change(REALM, serial, Token.State.values()[random.nextInt(3)]);
      case 8, 9, 10 -> owner.ifPresent(his -> tokens.keepUses(REALM, List.of(used(serial, his, random.nextInt(1_000)))));
      case 11 -> owner.ifPresent(his -> tokens.use(REALM, used(serial, his, random.nextInt(1_000)), MOST));
      case 12, 13 -> journal.writeAll();
      case 14 -> tokens.resynchronise(REALM, serial, random.nextInt(1_000), random.nextInt(5));
      case 15, 16 -> tokens.countWrong(REALM, person, 3, Optional.of(time.instant().plusSeconds(60)));
      case 17 -> tokens.endLock(REALM, person, 1, time.instant());
      case 18 -> tokens.unlock(REALM, person);
      case 19 -> tokens.keepPins(REALM, person, Optional.of(pins), random.nextBoolean());
      case 20 -> tokens.replacePins(REALM, person, rows.holder(REALM, person).sealedPins(), pins, random.nextBoolean());
      case 21 -> replaced(random, serial, token);
      case 22 -> known.leave(REALM, person, time.instant(), returned -> {});
      case 23 -> factors.add(REALM, person, new Factor("app-" + ++seeds, "", 6, pins, time.instant(), Optional.empty()), 3);
      case 24 -> factors.of(REALM, person).forEach(factor -> forgetOrAccept(random, person, factor));
      case 25 -> tokens.keepEmergency(REALM, person, Set.of("d"), true, time.instant().plusSeconds(60));
      default -> erase(random, person);
    }
  }

  private void replaced(Random random, String serial, Optional<Token> token) {
    token.filter(seen -> seen.person().isPresent()).ifPresent(seen -> register.replace(REALM, seen, "t" + random.nextInt(6)));
    rows.find(REALM, serial)
        .filter(one -> one.replaces().isPresent() && one.person().isPresent())
        .ifPresent(one -> tokens.finishReplacement(REALM, one, one.person().orElseThrow()));
  }

  private void forgetOrAccept(Random random, PersonId person, Factor factor) {
    if (random.nextInt(4) == 0) {
      factors.remove(REALM, person, factor.id());
    } else {
      factors.accept(REALM, person, factor.id(), random.nextInt(1_000), time.instant());
      tokens.keepUses(REALM, List.of(used(factor.id(), person, random.nextInt(1_000))));
    }
  }

  private void erase(Random random, PersonId person) {
    if (random.nextInt(5) == 0) {
      tokens.erase(REALM, person);
      factors.erase(REALM, person);
    }
  }

  @Test
  void whoeverHasChangedSomethingReadsIt() throws Exception {
    giveEach();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> all =
          IntStream.range(0, 8)
              .<Future<?>>mapToObj(thread -> threads.submit(() -> countAndRead(new PersonId("p" + thread), thread == 0)))
              .toList();
      for (Future<?> one : all) {
        one.get();
      }
    }
  }

  private void countAndRead(PersonId person, boolean isForAll) {
    for (int i = 1; i <= 300; i++) {
      assertThat(tokens.countWrong(REALM, person, 1_000, Optional.empty())).isEqualTo(i);
      assertThat(wrong(person)).isEqualTo(i);
      if (isForAll && i % 10 == 0) {
        tokens.change(REALM, "a", Token.State.DISABLED);
      }
      wrong(ALICE);
    }
  }
}
