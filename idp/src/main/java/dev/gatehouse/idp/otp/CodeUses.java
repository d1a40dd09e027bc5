package dev.gatehouse.idp.otp;

import dev.gatehouse.common.otp.Token;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.otp.Tokens;
import dev.gatehouse.common.otp.Tokens.Use;
import dev.gatehouse.common.otp.Tokens.Used;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.common.store.ReplayCache.ReplayKey;
import dev.gatehouse.common.store.StoreUnavailable;
import dev.gatehouse.common.throttle.LogThrottle;
import dev.gatehouse.idp.otp.TokenWindow.Width;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Uses up codes. A code of a token with a clock is used up by a durable mark, which a store of single writes makes for a fraction of what a
 * commit of the database costs; the token's row follows some moments later, for many tokens in one commit, and refuses what is older. Where
 * rows do not follow, or marks may be missing, the code is used up in the row as well; codes of a token with a counter, in the row alone.
 */
final class CodeUses {

  private static final Logger LOG = LoggerFactory.getLogger(CodeUses.class);

  /** A step can be meant for as long as this, by the widest drift and window. */
  static final int STEPS = 2 * TokenWindow.MOST_DRIFT + 1;

  private static final Duration PAUSE = Duration.ofMillis(250);

  /** Rows that do not follow for so long: the database takes no writes, and rows are written before answers again. */
  private static final Duration LATE = Duration.ofSeconds(30);

  private record Key(String realm, String serial) {}

  private final Tokens tokens;
  private final ReplayCache marks;
  private final InstantSource clock;
  private final Map<Key, Used> pending = new ConcurrentHashMap<>();
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final LogThrottle faults = new LogThrottle();
  private final Duration late;

  /** By realm, since when its rows do not follow, by {@link System#nanoTime}. */
  private final Map<String, Long> failingSince = new ConcurrentHashMap<>();

  CodeUses(Tokens tokens, ReplayCache marks, InstantSource clock) {
    this(tokens, marks, clock, LATE);
  }

  CodeUses(Tokens tokens, ReplayCache marks, InstantSource clock, Duration late) {
    this.tokens = tokens;
    this.marks = marks;
    this.clock = clock;
    this.late = late;
  }

  /** The token as it is after the uses that its row does not have yet. */
  Token current(String realm, Token token) {
    Used used = pending.get(new Key(realm, token.serial()));
    if (used == null || used.use().used() <= token.lastUsed() || !Arrays.equals(used.token().sealedSeed(), token.sealedSeed())) {
      return token;
    }
    Use use = used.use();
    return new Token(
        token.serial(), token.type(), token.sealedSeed(), token.state(), token.person(), use.used(), use.drift(), token.expiresAt(),
        Optional.of(use.at()), token.replaces());
  }

  /**
   * Uses up a code. Returns what is stored about the person after the use: of guesses in parallel, those that came before count. Returns
   * nothing if this or a later code was used, or if the person has {@code most} wrong passcodes.
   *
   * @param token as it was when the code was compared
   */
  Optional<TokenHolder> use(String realm, Token token, Use use, int most) {
    return use(realm, token, use, most, Duration.ZERO);
  }

  /** As the other one; @param kept how long the mark is kept at least, also when its step cannot be meant any more */
  Optional<TokenHolder> use(String realm, Token token, Use use, int most, Duration kept) {
    Used used = new Used(token, use);
    if (!token.type().kind().hasClock()) {
      return useInRow(realm, used, most);
    }
    Duration meant = Duration.ofSeconds((long) STEPS * token.type().period());
    Instant end = clock.instant().plus(meant.compareTo(kept) < 0 ? kept : meant);
    // In addition to the mark: other nodes, whose rows follow, and this one before it was late, have marks alone.
    boolean isInRow = isLate(realm) || mayLackMark(token, use.used());
    if (isInRow) {
      try {
        tokens.requireChangeable();
      } catch (DataAccessException | StoreUnavailable e) {
        // Nothing is used up yet.
        throw new PasscodeStoreUnavailable(e);
      }
    }
    if (use.used() <= current(realm, token).lastUsed()
        || !marks.firstSeen(mark(realm, token.serial(), use.used()), end)) {
      return Optional.empty();
    }
    // After the mark: of guesses in parallel, those that count were seen; and the token may have ended or changed hands meanwhile.
    Optional<TokenHolder> holder = tokens.counts(realm, used, clock.instant(), most);
    // Whichever way the code came: a node of the former version would take it once more.
    if (holder.isEmpty() || AppTokens.isOne(token) && !tokens.acceptApp(realm, use)) {
      return Optional.empty();
    }
    if (isInRow) {
      return useInRow(realm, used, most);
    }
    pending.merge(
        new Key(realm, token.serial()), used, (before, now) -> now.use().used() > before.use().used() ? now : before);
    schedule();
    return holder;
  }

  private Optional<TokenHolder> useInRow(String realm, Used used, int most) {
    return tokens.use(realm, used, most) ? Optional.of(tokens.holder(realm, used.use().person())) : Optional.empty();
  }

  /** The mark of a code of a token with a clock. */
  static ReplayKey mark(String realm, String serial, long step) {
    return new ReplayKey(realm, Token.MARKS, serial + " " + step);
  }

  /** Marks something that counts once. Returns false if it was marked before. */
  boolean isNew(ReplayKey key, Instant end) {
    return marks.firstSeen(key, end);
  }

  boolean isMarked(ReplayKey key) {
    return marks.isMarked(key);
  }

  /** The time before which marks may be missing. */
  Instant completeSince() {
    return marks.completeSince();
  }

  private boolean isLate(String realm) {
    Long since = failingSince.get(realm);
    return since != null && System.nanoTime() - since > late.toNanos();
  }

  /** A code that may have been used when marks were not kept yet, or before they were lost: by the widest window of a login. */
  private boolean mayLackMark(Token token, long used) {
    return used <= TokenCodes.step(token.type(), marks.completeSince()) + Math.max(0, token.drift()) + Width.TWO_CODES.steps();
  }

  private void schedule() {
    if (scheduled.compareAndSet(false, true)) {
      Thread.startVirtualThread(
          () -> {
            try {
              Thread.sleep(PAUSE);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            scheduled.set(false);
            write();
          });
    }
  }

  /** Writes rows: what is not written is kept, because nothing else tells that these codes were used when their marks have ended. */
  void write() {
    Map<String, SortedMap<String, Used>> byRealm = new HashMap<>();
    pending.forEach((key, used) -> byRealm.computeIfAbsent(key.realm(), realm -> new TreeMap<>()).put(key.serial(), used));
    byRealm.forEach(this::write);
  }

  private void write(String realm, SortedMap<String, Used> uses) {
    try {
      tokens.keepUses(realm, uses.values());
      uses.forEach((serial, used) -> pending.remove(new Key(realm, serial), used));
      failingSince.remove(realm);
    } catch (RuntimeException e) {
      failingSince.putIfAbsent(realm, System.nanoTime());
      faults.count().ifPresent(times -> LOG.warn("Uses of tokens cannot be written yet ({} times since the start)", times, e));
      schedule();
    }
  }
}
