package dev.gatehouse.idp.otp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.JdbcTokens;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.store.MemoryStores;
import dev.gatehouse.common.store.Race;
import dev.gatehouse.common.TestTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Codes are used up by marks, and rows follow. */
final class CodeUsesTest {

  private static final Database DATABASE = Database.inMemory();
  private static final Tokens TOKENS = new JdbcTokens(DATABASE);
  private static final PersonId ALICE = new PersonId("alice");
  private static final int MOST = 10;

  private final TestTime time = new TestTime();
  private final MemoryStores stores = new MemoryStores(time);
  private final CodeUses uses = new CodeUses(TOKENS, stores.replayCache(), time);

  @AfterAll
  static void close() throws Exception {
    DATABASE.close();
  }

  @BeforeEach
  void assign() {
    TOKENS.erase("demo", ALICE);
    TOKENS.remove("demo", "t");
    TOKENS.add("demo", List.of(Token.created("t", TokenType.USUAL, new byte[] {(byte) System.nanoTime(), 1}, -1, Optional.empty())));
    TOKENS.assign("demo", "t", ALICE);
    time.advance(Duration.ofMinutes(5));
  }

  private long step() {
    return TokenCodes.step(TokenType.USUAL, time.instant());
  }

  private boolean use(CodeUses by, long step) {
    Token token = by.current("demo", TOKENS.find("demo", "t").orElseThrow());
    return by.use("demo", token, new Tokens.Use("t", ALICE, step, 0, time.instant()), MOST);
  }

  private long row() {
    return TOKENS.find("demo", "t").orElseThrow().lastUsed();
  }

  @Test
  void oneOfManyInParallelAtTwoNodesWinsBeforeTheRowIsWritten() throws Exception {
    CodeUses other = new CodeUses(TOKENS, stores.replayCache(), time);
    long step = step();
    List<Boolean> won = Race.of(64, i -> () -> use(i % 2 == 0 ? uses : other, step));
    assertThat(won).filteredOn(one -> one).hasSize(1);
  }

  @Test
  void laterOnesEndEarlierOnesAtOnceAndInTheRow() {
    assertThat(use(uses, step())).isTrue();
    assertThat(use(uses, step() - 1)).as("before the row is written").isFalse();
    assertThat(use(uses, step() + 1)).isTrue();
    uses.write();
    assertThat(row()).isEqualTo(step() + 1);
    assertThat(use(new CodeUses(TOKENS, stores.replayCache(), time), step())).as("by the row").isFalse();
  }

  @Test
  void codesOfATimeWithoutMarksAreUsedUpInTheRow() {
    MemoryStores fresh = new MemoryStores(time);
    CodeUses young = new CodeUses(TOKENS, fresh.replayCache(), time);
    assertThat(use(young, step())).isTrue();
    assertThat(row()).as("at once").isEqualTo(step());
    assertThat(use(young, step())).isFalse();
  }

  @Test
  void whoGuessedTooOftenMeanwhileGetsNothing() {
    for (int i = 0; i < MOST; i++) {
      TOKENS.countWrong("demo", ALICE, MOST, Optional.empty());
    }
    assertThat(use(uses, step())).isFalse();
  }

  @Test
  void anotherTokenOfTheSameNumberIsNotMovedOn() {
    Token former = TOKENS.find("demo", "t").orElseThrow();
    assertThat(uses.use("demo", former, new Tokens.Use("t", ALICE, step(), 0, time.instant()), MOST)).isTrue();
    TOKENS.remove("demo", "t");
    TOKENS.add("demo", List.of(Token.created("t", TokenType.USUAL, new byte[] {9, 9, 9}, -1, Optional.empty())));
    uses.write();
    assertThat(row()).isEqualTo(-1);
  }
}
