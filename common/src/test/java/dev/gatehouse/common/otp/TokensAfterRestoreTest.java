package dev.gatehouse.common.otp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.db.Database;
import dev.gatehouse.common.db.EmptiedDatabase;
import dev.gatehouse.common.db.RecoveryMarks;
import dev.gatehouse.common.directory.PersonId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a restored database, and one whose sealing key is lost, accepts of tokens. */
final class TokensAfterRestoreTest {

  private static final Instant NOW = Instant.parse("2026-11-27T06:00:00Z");
  private static final long STEP = NOW.getEpochSecond() / 30;
  private static final PersonId CAROL = new PersonId("carol-1");

  private final Database database = EmptiedDatabase.get();
  private final Tokens tokens = new JdbcTokens(database);
  private final RecoveryMarks marks = new RecoveryMarks(database);

  private void give(String serial, TokenType.Kind kind) {
    TokenType type = new TokenType(kind, TokenType.Hash.SHA1, 6, kind.hasClock() ? 30 : 0);
    tokens.add(
        "demo",
        List.of(Token.created(serial, type, new byte[] {1}, -1, Optional.empty())));
    assertThat(tokens.assign("demo", serial, CAROL)).isTrue();
  }

  private boolean use(String serial, long used) {
    Token now = tokens.find("demo", serial).orElseThrow();
    return tokens.use("demo", new Tokens.Used(now, new Tokens.Use(serial, CAROL, used, 0, NOW)), 10);
  }

  @Test
  void codesThatMayHaveCountedSinceTheBackupDoNotCountAgain() {
    give("clock", TokenType.Kind.TOTP);
    give("counter", TokenType.Kind.HOTP);
    tokens.keepEmergency("demo", CAROL, Set.of("digest"), true, NOW.plusSeconds(60));
    marks.restored(NOW);
    assertThat(use("clock", STEP)).isFalse();
    assertThat(use("clock", STEP + 40)).as("by a drift that was learnt after the backup").isFalse();
    assertThat(use("clock", STEP + 41)).isTrue();
    assertThat(use("counter", 5)).isFalse();
    assertThat(tokens.useEmergency("demo", CAROL, "digest", NOW, 10)).isFalse();
  }

  @Test
  void whereMarksAreLostCodesOfClocksAreRefusedAndCountersGoOn() {
    give("clock", TokenType.Kind.TOTP);
    give("counter", TokenType.Kind.HOTP);
    marks.refuseClockCodesUntil(NOW);
    assertThat(use("clock", STEP + 40)).as("by what drift was learnt last").isFalse();
    assertThat(use("clock", STEP + 41)).isTrue();
    assertThat(use("counter", 5)).isTrue();
  }

  @Test
  void nothingIsLeftOfTokensWhoseSealingKeyIsLost() {
    give("clock", TokenType.Kind.TOTP);
    tokens.keepPins("demo", CAROL, Optional.of(new byte[] {1}), false);
    tokens.keepEmergency("demo", CAROL, Set.of("digest"), true, NOW.plusSeconds(60));
    marks.dropSealed();
    assertThat(tokens.find("demo", "clock")).isEmpty();
    assertThat(tokens.holder("demo", CAROL)).isEqualTo(TokenHolder.NEW);
    assertThat(tokens.emergencyLeft("demo", CAROL, NOW)).isZero();
  }
}
