package dev.gatehouse.common.otp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.TestTime;
import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.TokenRegister.Filter;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.RocksStores;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Rows follow the journal, and nothing is lost between the two. */
final class UseJournalTest {

  private static final String REALM = "demo";
  private static final PersonId ALICE = new PersonId("alice");
  private static final int MOST = 10;

  /** Rows are written when the test says so, however slow the machine is. */
  private static final UseJournal.Limits NOT_BY_ITSELF = new UseJournal.Limits(Duration.ofDays(1), 1_000);

  @TempDir Path data;
  private final TestTime time = new TestTime();
  private final Database database = Database.inMemory();
  private final JdbcTokens rows = new JdbcTokens(database);
  private Optional<RocksStores> open = Optional.empty();

  private UseJournal start() {
    RocksStores stores = new RocksStores(data, time);
    open = Optional.of(stores);
    return UseJournal.open(database, stores, time, NOT_BY_ITSELF).orElseThrow();
  }

  /** The process ends before it writes rows: the journal is not closed. */
  private UseJournal startAfterKill() {
    open.orElseThrow().close();
    return start();
  }

  @AfterEach
  void close() {
    open.ifPresent(RocksStores::close);
    database.close();
  }

  private void give(String serial, byte... seed) {
    rows.add(REALM, List.of(Token.created(serial, TokenType.USUAL, seed, -1, Optional.empty())));
    assertThat(rows.assign(REALM, serial, ALICE)).isTrue();
  }

  private Tokens.Used used(String serial, long step) {
    return new Tokens.Used(row(serial), new Tokens.Use(serial, ALICE, step, -3, time.instant()));
  }

  private Token row(String serial) {
    return rows.find(REALM, serial).orElseThrow();
  }

  @Test
  void aUseIsKnownAtOnceAndInItsRowAfterMinutes() {
    give("a", (byte) 1);
    give("b", (byte) 2);
    try (UseJournal journal = start()) {
      Tokens tokens = journal.tokens(rows);
      tokens.keepUses(REALM, List.of(used("a", 5)));
      time.advance(Duration.ofMinutes(1));
      tokens.keepUses(REALM, List.of(used("b", 6)));
      assertThat(row("a").lastUsed()).isEqualTo(-1);
      assertThat(tokens.of(REALM, ALICE)).extracting(Token::lastUsed).containsExactly(5L, 6L);
      assertThat(tokens.find(REALM, "b").orElseThrow().usedAt()).contains(time.instant());
      assertThat(tokens.list(REALM, "", 10)).extracting(Token::drift).containsExactly(-3, -3);
      journal.writeDue();
      assertThat(row("a").lastUsed()).as("the oldest one, so that it is seen whether rows can be written").isEqualTo(5);
      assertThat(row("b").lastUsed()).as("not due").isEqualTo(-1);
      tokens.keepUses(REALM, List.of(used("a", 7)));
      time.advance(UseJournal.LATEST);
      journal.writeDue();
      assertThat(row("b").lastUsed()).isEqualTo(6);
      assertThat(row("a").lastUsed()).isEqualTo(7);
    }
  }

  @Test
  void nothingIsLostByAKillBeforeRowsAreWritten() {
    give("a", (byte) 1);
    start().keep(REALM, List.of(used("a", 5)));
    UseJournal journal = startAfterKill();
    Tokens tokens = journal.tokens(rows);
    assertThat(row("a").lastUsed()).isEqualTo(-1);
    assertThat(tokens.find(REALM, "a").orElseThrow().lastUsed()).isEqualTo(5);
    assertThat(tokens.find(REALM, "a").orElseThrow().drift()).isEqualTo(-3);
    assertThat(tokens.counts(REALM, used("a", 5), time.instant(), MOST)).as("that one").isEmpty();
    assertThat(tokens.counts(REALM, used("a", 4), time.instant(), MOST)).as("an earlier one").isEmpty();
    assertThat(tokens.counts(REALM, used("a", 6), time.instant(), MOST)).as("a later one").isPresent();
    journal.close();
    assertThat(row("a").lastUsed()).as("written at the stop").isEqualTo(5);
    assertThat(startAfterKill().lastUsed(REALM, row("a"))).as("and then forgotten").isEqualTo(-1);
  }

  @Test
  void aKillBetweenRowAndJournalDoesNoHarm() {
    give("a", (byte) 1);
    start().keep(REALM, List.of(used("a", 5)));
    rows.keepUses(REALM, List.of(used("a", 9)));
    UseJournal journal = startAfterKill();
    assertThat(journal.tokens(rows).find(REALM, "a").orElseThrow().lastUsed()).isEqualTo(9);
    journal.writeAll();
    assertThat(row("a").lastUsed()).isEqualTo(9);
  }

  @Test
  void aDatabaseOfAnEarlierTimeGetsWhatTheJournalHas() {
    give("a", (byte) 1);
    UseJournal journal = start();
    journal.keep(REALM, List.of(used("a", 5)));
    // Another token of that number came with the restored database.
    rows.remove(REALM, "a");
    give("a", (byte) 2);
    journal.keep(REALM, List.of(used("a", 3)));
    journal = startAfterKill();
    assertThat(journal.tokens(rows).find(REALM, "a").orElseThrow().lastUsed()).as("of its own seed").isEqualTo(3);
    journal.writeAll();
    assertThat(row("a").lastUsed()).isEqualTo(3);
  }

  @Test
  void whatIsDecidedByTheRowIsWrittenBefore() {
    give("a", (byte) 1);
    UseJournal journal = start();
    Tokens tokens = journal.tokens(rows);
    tokens.keepUses(REALM, List.of(used("a", 5)));
    assertThat(tokens.resynchronise(REALM, "a", 5, 0)).isFalse();
    tokens.keepUses(REALM, List.of(used("a", 8)));
    assertThat(tokens.use(REALM, used("a", 8), MOST)).isFalse();
    assertThat(tokens.use(REALM, used("a", 9), MOST)).isTrue();
  }

  @Test
  void reportsHaveWhatWaits() {
    give("a", (byte) 1);
    give("b", (byte) 2);
    UseJournal journal = start();
    TokenRegister register = new TokenRegister(database, journal);
    journal.keep(REALM, List.of(used("a", 5)));
    assertThat(register.list(REALM, Filter.ALL, "", 10)).extracting(Token::lastUsed).containsExactly(5L, -1L);
    assertThat(register.counts(REALM, time.instant(), time.instant(), MOST).neverUsed()).isEqualTo(1);
    journal.keep(REALM, List.of(used("b", 5)));
    Filter never = new Filter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(false), Optional.empty(), Optional.empty());
    assertThat(register.list(REALM, never, "", 10)).isEmpty();
  }

  @Test
  void aDatabaseThatTakesNoWritesIsToldAndNothingIsLost() {
    give("a", (byte) 1);
    UseJournal journal = start();
    journal.keep(REALM, List.of(used("a", 5)));
    JdbcClient jdbc = JdbcClient.create(database.dataSource());
    Tokens.Used later = used("a", 6);
    jdbc.sql("alter table otp_token rename to otp_token_away").update();
    assertThatThrownBy(journal::writeDue).isInstanceOf(DataAccessException.class);
    assertThatThrownBy(() -> journal.keep(REALM, List.of(later))).isInstanceOf(DataAccessException.class);
    jdbc.sql("alter table otp_token_away rename to otp_token").update();
    assertThat(journal.tokens(rows).find(REALM, "a").orElseThrow().lastUsed()).isEqualTo(6);
    journal.keep(REALM, List.of());
    assertThat(row("a").lastUsed()).isEqualTo(6);
  }

  @Test
  void ofTooManyTheOldestAreWritten() {
    int many = NOT_BY_ITSELF.most();
    UseJournal journal = start();
    Token none = Token.created("none", TokenType.USUAL, new byte[] {1}, -1, Optional.empty());
    give("0", (byte) 1);
    journal.keep(
        REALM, IntStream.range(0, many).mapToObj(i -> new Tokens.Used(none, new Tokens.Use("" + i, ALICE, 5, 0, time.instant()))).toList());
    assertThat(row("0").lastUsed()).isEqualTo(5);
    assertThat(journal.lastUsed(REALM, row("0"))).isEqualTo(-1);
    assertThat(journal.waiting()).isEqualTo(many - many / 10);
  }

  @Test
  void whereNodesShareStoresRowsAreWrittenAtOnce() {
    assertThat(UseJournal.open(database, new MemoryStores(time), time)).isEmpty();
    try (RocksStores inMemory = RocksStores.inMemory(time)) {
      assertThat(UseJournal.open(database, inMemory, time)).isEmpty();
    }
  }

  @Test
  void theSecondLookSeesWhatChangedSinceTheFirst() {
    give("a", (byte) 1);
    rows.keepPins(REALM, ALICE, Optional.of(new byte[] {1}), false);
    Tokens tokens = start().tokens(rows);
    assertThat(counts(tokens, () -> {})).isTrue();
    assertThat(counts(tokens, () -> tokens.countWrong(REALM, ALICE, MOST, Optional.empty()))).as("one wrong of ten").isTrue();
    assertThat(counts(tokens, () -> IntStream.range(1, MOST).forEach(i -> tokens.countWrong(REALM, ALICE, MOST, Optional.empty()))))
        .as("ten wrong")
        .isFalse();
    tokens.forgive(REALM, ALICE);
    assertThat(counts(tokens, () -> tokens.change(REALM, "a", Token.State.LOST))).as("lost").isFalse();
    tokens.change(REALM, "a", Token.State.ENABLED);
    TokenRegister register = new TokenRegister(database);
    assertThat(counts(tokens, () -> register.expire(REALM, row("a"), Optional.of(time.instant())))).as("ended").isFalse();
    register.expire(REALM, row("a"), Optional.empty());
    assertThat(counts(tokens, () -> tokens.keepUses(REALM, List.of(used("a", 20))))).as("a later one").isFalse();
  }

  private boolean counts(Tokens tokens, Runnable meanwhile) {
    tokens.owned(REALM, ALICE);
    Tokens.Used used = used("a", 10);
    meanwhile.run();
    return tokens.counts(REALM, used, time.instant(), MOST).isPresent();
  }
}
