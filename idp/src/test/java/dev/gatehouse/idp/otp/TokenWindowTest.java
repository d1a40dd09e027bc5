package dev.gatehouse.idp.otp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.TokenType.Hash;
import dev.gatehouse.common.otp.TokenType.Kind;
import dev.gatehouse.idp.otp.TokenWindow.Width;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Windows and drift of tokens, by tokens, clocks and codes at random from a fixed seed (RFC 6238, sections 5.2 and 6; RFC 4226, section 7.4). */
final class TokenWindowTest {

  private static final int ROUNDS = 4000;
  private static final byte[] SEED = "12345678901234567890".getBytes(StandardCharsets.US_ASCII);

  private final Random random = new Random(6238);

  private Token token(Kind kind) {
    int period = kind == Kind.HOTP ? 0 : kind == Kind.APP || random.nextBoolean() ? 30 : 60;
    Hash hash = Hash.values()[random.nextInt(Hash.values().length)];
    TokenType type = new TokenType(kind, hash, 6 + random.nextInt(3), period);
    return Token.created("t", type, new byte[] {1}, -1, Optional.empty());
  }

  private static Token with(Token token, long lastUsed, int drift) {
    return new Token(
        token.serial(), token.type(), token.sealedSeed(), token.state(), token.person(), lastUsed, drift, token.expiresAt(), token.usedAt(),
        token.replaces());
  }

  private static int reach(Kind kind, Width width) {
    boolean one = width == Width.ONE_CODE;
    return switch (kind) {
      case HOTP -> one ? 10 : width == Width.TWO_CODES ? 50 : 1000;
      case APP -> 1;
      case TOTP -> one ? 1 : width == Width.TWO_CODES ? 10 : 20;
      case OCRA -> throw new IllegalArgumentException();
    };
  }

  @Test
  void aWindowIsAsWideAsItsKindAndQuestionSayAroundWhereTheTokenIs() {
    for (int i = 0; i < ROUNDS; i++) {
      Kind kind = List.of(Kind.TOTP, Kind.HOTP, Kind.APP).get(i % 3);
      int drift = kind == Kind.TOTP ? random.nextInt(41) - 20 : 0;
      Token token = with(token(kind), random.nextInt(1_000_000), drift);
      Instant now = Instant.ofEpochSecond(1_700_000_000L + random.nextInt(100_000_000));
      for (Width width : Width.values()) {
        TokenWindow window = TokenWindow.of(token, now, width);
        long middle = kind == Kind.HOTP ? token.lastUsed() : Math.floorDiv(now.getEpochSecond(), token.type().period()) + drift;
        int reach = reach(kind, width);
        assertThat(List.of(window.first(), window.last())).as("%s %s", token.type(), width).containsExactly(middle - reach, middle + reach);
      }
    }
  }

  @Test
  void noCodeIsFoundOutsideOfItsWindow() {
    for (int i = 0; i < ROUNDS / 10; i++) {
      Kind kind = List.of(Kind.TOTP, Kind.HOTP, Kind.APP).get(i % 3);
      Token token = with(token(kind), 5_000 + random.nextInt(1_000), 0);
      Instant now = Instant.ofEpochSecond(1_700_000_000L + random.nextInt(100_000_000));
      TokenWindow window = TokenWindow.of(token, now, i % 2 == 0 ? Width.ONE_CODE : Width.TWO_CODES);
      TokenCodes codes = new TokenCodes(token.type(), SEED);
      long counter = window.first() - 30 + random.nextInt((int) (window.last() - window.first()) + 61);
      OptionalLong found = codes.find(codes.at(counter), window.first(), window.last());
      if (counter >= window.first() && counter <= window.last()) {
        // Another one with the same code may be later.
        assertThat(found).isPresent();
        assertThat(codes.at(found.getAsLong())).isEqualTo(codes.at(counter));
      }
      found.ifPresent(step -> assertThat(step).isBetween(window.first(), window.last()));
    }
  }

  @Test
  void driftIsLearntFromTotpAloneAndNeverBeyondTwentySteps() {
    for (int i = 0; i < ROUNDS; i++) {
      Kind kind = List.of(Kind.TOTP, Kind.HOTP, Kind.APP).get(i % 3);
      Token token = with(token(kind), 1_000, 0);
      Instant now = Instant.ofEpochSecond(1_700_000_000L + random.nextInt(100_000_000));
      TokenWindow window = TokenWindow.of(token, now, Width.RESYNCHRONISATION);
      long used = window.expected() - 60 + random.nextInt(121);
      int drift = window.drift(token, used);
      assertThat(drift).isBetween(-20, 20);
      if (kind != Kind.TOTP) {
        assertThat(drift).isZero();
      } else {
        assertThat(drift).isEqualTo((int) Math.clamp(used - window.expected(), -20, 20));
      }
    }
  }

  /** Decision 554: whoever types late twice has moved the window by two steps, and no single code has. */
  @Test
  void oneCodeMovesTheDriftByOneStepAtMostAndThenACodeInTimeTakesItBack() {
    for (int i = 0; i < ROUNDS; i++) {
      int before = random.nextInt(41) - 20;
      Token token = with(token(Kind.TOTP), -1, before);
      Instant now = Instant.ofEpochSecond(1_700_000_000L + random.nextInt(100_000_000));
      TokenWindow window = TokenWindow.of(token, now, Width.ONE_CODE);
      for (long used = window.first(); used <= window.last(); used++) {
        assertThat(Math.abs(window.drift(token, used) - before)).isLessThanOrEqualTo(1);
      }
    }
    Token right = with(token(Kind.TOTP), -1, 0);
    Instant now = Instant.ofEpochSecond(1_700_000_000L);
    TokenWindow window = TokenWindow.of(right, now, Width.ONE_CODE);
    assertThat(window.first()).as("two steps late").isGreaterThan(window.expected() - 2);
    Token late = with(right, -1, window.drift(right, window.expected() - 1));
    window = TokenWindow.of(late, now, Width.ONE_CODE);
    assertThat(window.last()).as("a code in time").isEqualTo(window.expected());
    assertThat(window.drift(late, window.expected())).isZero();
  }

  /** A clock that runs away is followed a step at a time, until it is ten minutes off; its codes count no further, and none counts twice. */
  @Test
  void aClockThatRunsAwayIsFollowedToTheLimitAndCodesOnlyRise() {
    for (int run = 0; run < 40; run++) {
      Token token = with(token(Kind.TOTP), -1, 0);
      int period = token.type().period();
      TokenCodes codes = new TokenCodes(token.type(), SEED);
      int towards = random.nextBoolean() ? 1 : -1;
      Instant now = Instant.ofEpochSecond(1_700_000_000L);
      long last = -1;
      for (int off = 0; off <= 30; off++) {
        now = now.plusSeconds(10L * period);
        long step = Math.floorDiv(now.getEpochSecond(), period) + (long) towards * off;
        TokenWindow window = TokenWindow.of(token, now, Width.ONE_CODE);
        boolean isIn = step >= window.first() && step <= window.last();
        assertThat(isIn).as("%s steps off, drift %s", off, token.drift()).isEqualTo(off <= 21);
        if (isIn) {
          assertThat(codes.find(codes.at(step), step, step)).hasValue(step);
          assertThat(step).as("never backwards").isGreaterThan(last);
          last = step;
          token = with(token, step, window.drift(token, step));
          assertThat(Math.abs(token.drift())).isEqualTo(Math.min(off, 20));
        }
      }
    }
  }
}
