package dev.gatehouse.common.otp.replica;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.TokenHolder;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Wrong passcodes of people, counted in the store that all servers use: what it has counts, and rows are copies of it that come later. A
 * person without a count there has that of the row.
 */
final class WrongPasscodes {

  /** The name of the store. */
  static final String STORE = "otp-wrong";

  /** Until then the rows of all servers have it. */
  private static final Duration LIFE = Duration.ofDays(30);

  /**
   * The wrong passcodes of a person.
   *
   * @param lockedUntil the end of the lock, if it ends by itself
   */
  record Wrong(int count, Optional<Instant> lockedUntil) {

    static Wrong of(TokenHolder row) {
      return new Wrong(row.wrong(), row.lockedUntil());
    }

    /** Returns it with one more, unless there are {@code most}. */
    Wrong more(int most, Optional<Instant> lock) {
      return count >= most ? this : new Wrong(count + 1, count + 1 >= most ? lock : Optional.empty());
    }

    /** Returns it after the lock, if that has ended. */
    Wrong unlocked(int left, Instant now) {
      return lockedUntil.filter(end -> !now.isBefore(end)).isPresent() ? new Wrong(left, Optional.empty()) : this;
    }

    /** Returns the one that keeps a guesser out longer. */
    Wrong highest(Wrong other) {
      return other.count > count ? other : this;
    }

    TokenHolder in(TokenHolder row) {
      return new TokenHolder(row.sealedPins(), row.newPin(), count, lockedUntil);
    }
  }

  private final SingleUseStore<Wrong> store;
  private final InstantSource time;

  WrongPasscodes(Stores stores, InstantSource time) {
    this.store = stores.ends().singleUse(STORE, new JsonCodec<>(Wrong.class));
    this.time = time;
  }

  Optional<Wrong> find(String realm, PersonId person) {
    return store.peek(key(realm, person));
  }

  /** Changes the count atomically, for all servers; one that is not there yet begins with that of the row. */
  Wrong change(String realm, PersonId person, TokenHolder row, UnaryOperator<Wrong> change) {
    Wrong[] after = {Wrong.of(row)};
    store.updateLater(
        key(realm, person),
        found -> {
          after[0] = change.apply(found.orElseGet(() -> Wrong.of(row)));
          return after[0];
        },
        time.instant().plus(LIFE));
    return after[0];
  }

  private static String key(String realm, PersonId person) {
    return realm + " " + person.value();
  }
}
