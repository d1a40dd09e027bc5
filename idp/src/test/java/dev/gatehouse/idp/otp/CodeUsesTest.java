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
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.TestTime;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
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
    time.advance(Duration.ofMinutes(6));
  }

  private long step() {
    return TokenCodes.step(TokenType.USUAL, time.instant());
  }

  private boolean use(CodeUses by, long step) {
    Token token = by.current("demo", TOKENS.find("demo", "t").orElseThrow());
    return by.use("demo", token, new Tokens.Use("t", ALICE, step, 0, time.instant()), MOST).isPresent();
  }

  private long row() {
    return TOKENS.find("demo", "t").orElseThrow().lastUsed();
  }

  @Test
  void oneOfManyInParallelAtFourNodesWinsBeforeTheRowIsWritten() throws Exception {
    List<CodeUses> nodes = Stream.generate(() -> new CodeUses(TOKENS, stores.replayCache(), time)).limit(4).toList();
    long step = step();
    List<Boolean> won = Race.of(64, i -> () -> use(nodes.get(i % 4), step));
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
  void codesOfTheWidestWindowBeforeMarksWereKeptAreUsedUpInTheRowToo() {
    MemoryStores fresh = new MemoryStores(time);
    long ahead = step() + 10;
    time.advance(Duration.ofMinutes(3));
    assertThat(use(new CodeUses(TOKENS, fresh.replayCache(), time), ahead)).isTrue();
    assertThat(row()).as("at once").isEqualTo(ahead);
  }

  /** A database that does not take the uses of one realm, and everything else. */
  private static Tokens withoutRowsOf(String realm) {
    return (Tokens)
        Proxy.newProxyInstance(
            Tokens.class.getClassLoader(),
            new Class<?>[] {Tokens.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("keepUses") && arguments[0].equals(realm)) {
                throw new IllegalStateException("The test took it down.");
              }
              return method.invoke(TOKENS, arguments);
            });
  }

  @Test
  void noCodeCountsTwiceWhereRowsAreLate() {
    CodeUses late = new CodeUses(withoutRowsOf("demo"), stores.replayCache(), time, Duration.ZERO);
    assertThat(use(late, step())).isTrue();
    late.write();
    assertThat(row()).as("late").isEqualTo(-1);
    assertThat(use(late, step())).as("by what waits to be written").isFalse();
    assertThat(use(late, step() + 1)).isTrue();
    assertThat(row()).as("at once").isEqualTo(step() + 1);
    assertThat(use(uses, step() + 2)).as("at a node whose rows follow").isTrue();
    assertThat(use(late, step() + 2)).as("by its mark").isFalse();
  }

  @Test
  void rowsOfOneRealmAreLateWhateverThoseOfOthers() {
    CodeUses late = new CodeUses(withoutRowsOf("demo"), stores.replayCache(), time, Duration.ZERO);
    assertThat(use(late, step())).isTrue();
    late.write();
    for (String other : List.of("a", "other", "z", "sales")) {
      TOKENS.remove(other, "t");
      TOKENS.add(other, List.of(Token.created("t", TokenType.USUAL, new byte[] {1}, -1, Optional.empty())));
      TOKENS.assign(other, "t", ALICE);
      Token token = TOKENS.find(other, "t").orElseThrow();
      assertThat(late.use(other, token, new Tokens.Use("t", ALICE, step(), 0, time.instant()), MOST)).isPresent();
    }
    late.write();
    assertThat(TOKENS.find("other", "t").orElseThrow().lastUsed()).isEqualTo(step());
    assertThat(use(late, step() + 1)).isTrue();
    assertThat(row()).as("at once").isEqualTo(step() + 1);
  }

  /** Marks, and what happens between a mark and the look at the row. */
  private record Hooked(ReplayCache marks, Runnable after) implements ReplayCache {
    @Override
    public boolean firstSeen(ReplayKey key, Instant expiresAt) {
      boolean first = marks.firstSeen(key, expiresAt);
      after.run();
      return first;
    }

    @Override
    public boolean isMarked(ReplayKey key) {
      return marks.isMarked(key);
    }

    @Override
    public Instant completeSince() {
      return marks.completeSince();
    }
  }

  @Test
  void whatHappensToTheTokenMeanwhileCounts() {
    Map<String, Runnable> meanwhile =
        Map.of(
            "lost", () -> TOKENS.change("demo", "t", Token.State.LOST),
            "taken back", () -> TOKENS.unassign("demo", "t", ALICE),
            "another person's", () -> {
              TOKENS.unassign("demo", "t", ALICE);
              TOKENS.assign("demo", "t", new PersonId("bob"));
              TOKENS.change("demo", "t", Token.State.ENABLED);
            },
            "another seed", () -> replace(new byte[] {7, 7}, Optional.empty()),
            "ended", () -> time.advance(Duration.ofMinutes(1)),
            "found again at a later step", () -> TOKENS.resynchronise("demo", "t", step() + 1, 0));
    meanwhile.forEach(
        (what, change) -> {
          assign();
          replace(new byte[] {6, 6}, Optional.of(time.instant().plusSeconds(60)));
          CodeUses hooked = new CodeUses(TOKENS, new Hooked(stores.replayCache(), change), time);
          assertThat(use(hooked, step())).as(what).isFalse();
        });
    assign();
    assertThat(use(new CodeUses(TOKENS, new Hooked(stores.replayCache(), () -> {}), time), step())).as("nothing").isTrue();
  }

  private static void replace(byte[] seed, Optional<Instant> end) {
    TOKENS.remove("demo", "t");
    TOKENS.add("demo", List.of(Token.created("t", TokenType.USUAL, seed, -1, end)));
    TOKENS.assign("demo", "t", ALICE);
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
    assertThat(uses.use("demo", former, new Tokens.Use("t", ALICE, step(), 0, time.instant()), MOST)).isPresent();
    TOKENS.remove("demo", "t");
    TOKENS.add("demo", List.of(Token.created("t", TokenType.USUAL, new byte[] {9, 9, 9}, -1, Optional.empty())));
    uses.write();
    assertThat(row()).isEqualTo(-1);
  }
}
