package dev.gatehouse.idp.otp;

import dev.gatehouse.common.db.SecondFactors;
import dev.gatehouse.common.db.SecondFactors.Factor;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.TokenType;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.TokenLogin;
import dev.gatehouse.common.wait.Stripes;
import dev.gatehouse.idp.otp.TokenWindow.Width;
import dev.gatehouse.idp.totp.AppCodes;
import dev.gatehouse.idp.totp.SecondFactor;
import dev.gatehouse.idp.totp.TotpSecret;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;

/**
 * Authenticator apps among the tokens. After a password a code of an app is enough, without a PIN. Wrong codes are counted with those of
 * all other ways in: after several of them two successive codes are needed, and then the person is locked, where a lock may end by time. They
 * are also counted apart, up to {@link SecondFactor#MAX_WRONG} without such an end.
 */
public final class AppTokens implements AppCodes {

  private final Stripes locks = new Stripes();
  private final PasscodeChecks parts;
  private final SecondFactors factors;

  public AppTokens(PasscodeChecks parts, SecondFactors factors) {
    this.parts = parts;
    this.factors = factors;
  }

  static boolean isOne(Token token) {
    return token.type().kind() == TokenType.Kind.APP;
  }

  /** Checks a person's codes one after the other on this node: a burst would be compared with counts from before it. */
  @Override
  public Result check(Realm realm, PersonId person, String code) {
    Lock lock = locks.of(List.of(realm.name(), person.value()));
    lock.lock();
    try {
      return checkAlone(realm, person, code);
    } finally {
      lock.unlock();
    }
  }

  private Result checkAlone(Realm realm, PersonId person, String code) {
    Instant now = parts.clock.instant();
    if (isLocked(realm, person, now)) {
      return Result.LOCKED;
    }
    List<Token> apps = apps(realm, person);
    boolean two = apps.stream().anyMatch(token -> code.length() == 2 * token.type().digits());
    // Whether a single code is right, is not told; nor is there anything to count then.
    if (!two && holder(realm, person, now).wrong() >= nextCodeAfter(realm)) {
      return Result.TWO_CODES_NEEDED;
    }
    for (Token token : apps) {
      OptionalLong step = find(realm, token, code, now);
      if (step.isPresent()) {
        if (!token.isUsable(now)) {
          return wrong(realm, person, now, Result.DISABLED);
        }
        // Somebody may know the first one because it was used: then the second alone would be guessed.
        return two && step.getAsLong() > token.lastUsed() && isUsed(realm, token, step.getAsLong() - 1)
            ? wrong(realm, person, now, Result.USED)
            : use(realm, person, token, step.getAsLong(), two, now);
      }
    }
    return wrong(realm, person, now, Result.WRONG);
  }

  /** A row may follow the marks of other nodes. */
  private boolean isUsed(Realm realm, Token token, long step) {
    return step <= token.lastUsed() || parts.uses.isMarked(CodeUses.mark(realm.name(), token.serial(), step));
  }

  private OptionalLong find(Realm realm, Token token, String code, Instant now) {
    TokenWindow window = TokenWindow.of(token, now, Width.ONE_CODE);
    TokenCodes codes = TokenSeeds.codes(parts.sealing, realm.name(), token);
    int digits = token.type().digits();
    // The second of two is one that would count alone.
    return code.length() == 2 * digits
        ? codes.findPair(code.substring(0, digits), code.substring(digits), window.first() - 1, window.last())
        : codes.find(code, window.first(), window.last());
  }

  private List<Token> apps(Realm realm, PersonId person) {
    Set<String> apps = factors.of(realm.name(), person).stream().map(Factor::id).collect(Collectors.toSet());
    return parts.tokens.of(realm.name(), person).stream()
        .filter(token -> isOne(token) && apps.contains(token.serial()))
        .map(token -> parts.uses.current(realm.name(), token))
        .toList();
  }

  private boolean isLocked(Realm realm, PersonId person, Instant now) {
    return factors.wrongCodes(realm.name(), person) >= SecondFactor.MAX_WRONG || holder(realm, person, now).wrong() >= lockAfter(realm);
  }

  private Result use(Realm realm, PersonId person, Token token, long step, boolean two, Instant now) {
    Optional<TokenHolder> holder =
        parts.uses.use(realm.name(), token, new Tokens.Use(token.serial(), person, step, token.drift(), now), lockAfter(realm));
    // Of guesses in parallel, those that other nodes or ways in counted meanwhile count. That the code was right, is not told.
    if (!two && holder.filter(after -> after.wrong() >= nextCodeAfter(realm)).isPresent()) {
      return Result.USED;
    }
    if (holder.isEmpty() || !factors.forgive(realm.name(), person, SecondFactor.MAX_WRONG)) {
      return isLocked(realm, person, now) ? Result.LOCKED : Result.USED;
    }
    if (holder.get().wrong() > 0) {
      parts.tokens.forgive(realm.name(), person);
    }
    return Result.ACCEPTED;
  }

  private Result wrong(Realm realm, PersonId person, Instant now, Result result) {
    Optional<Duration> lockFor = PasscodeChecks.rules(realm).flatMap(TokenLogin::lockFor);
    factors.countWrong(realm.name(), person);
    parts.tokens.countWrong(realm.name(), person, lockAfter(realm), lockFor.map(now::plus));
    return result;
  }

  @Override
  public OptionalLong stepOf(TotpSecret secret, int digits, String code, Instant now) {
    TokenType type = new TokenType(TokenType.Kind.APP, TokenType.USUAL.hash(), digits, TokenType.USUAL.period());
    long step = TokenCodes.step(type, now);
    return new TokenCodes(type, secret.bytes()).find(code, step - 1, step + 1);
  }

  @Override
  public void useFirst(Realm realm, PersonId person, String app, long step) {
    parts
        .tokens
        .find(realm.name(), app)
        .ifPresent(token -> use(realm, person, token, step, true, parts.clock.instant()));
  }

  @Override
  public void forgive(Realm realm, PersonId person) {
    parts.tokens.unlock(realm.name(), person);
  }

  private TokenHolder holder(Realm realm, PersonId person, Instant now) {
    return PasscodeChecks.rules(realm)
        .map(rules -> parts.holder(realm.name(), rules, person, now))
        .orElseGet(() -> parts.tokens.holder(realm.name(), person));
  }

  /** Where no tokens are configured, the throttle slows guesses, and one code is enough until the lock. */
  private static int nextCodeAfter(Realm realm) {
    return PasscodeChecks.rules(realm).map(TokenLogin::nextCodeAfter).orElse(SecondFactor.MAX_WRONG);
  }

  /** Where no tokens are configured, what NIST SP 800-63B allows, and no end but by a recovery code or an administrator. */
  private static int lockAfter(Realm realm) {
    return PasscodeChecks.rules(realm).map(TokenLogin::lockAfter).orElse(SecondFactor.MAX_WRONG);
  }
}
