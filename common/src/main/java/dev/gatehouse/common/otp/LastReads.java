package dev.gatehouse.common.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.Tokens.Owned;
import dev.gatehouse.common.remembered.OwnChanges;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What was read last of people, for the second look after a mark: where no row of tokens was changed between, it would read the same. A
 * few are enough, because the second look follows at once.
 */
final class LastReads {

  private static final int SLOTS = 1024;

  /** @param count of changes before it was read */
  private record Read(String realm, PersonId person, OwnChanges.Count count, Owned owned) {}

  private final OwnChanges changes;
  private final AtomicReferenceArray<@Nullable Read> reads = new AtomicReferenceArray<>(SLOTS);

  LastReads(OwnChanges changes) {
    this.changes = changes;
  }

  private static int slot(String realm, PersonId person) {
    return Math.floorMod(Objects.hash(realm, person), SLOTS);
  }

  Owned read(String realm, PersonId person, Supplier<Owned> rows) {
    Optional<OwnChanges.Count> count = changes.quiet(CountedUpdates.key(realm, person));
    Owned owned = rows.get();
    count.ifPresent(before -> reads.set(slot(realm, person), new Read(realm, person, before, owned)));
    return owned;
  }

  /** Returns what {@link Tokens#counts} would; empty also if something was changed or not read, and rows must be asked. */
  Optional<TokenHolder> counts(String realm, Tokens.Used used, Instant now, int most) {
    PersonId person = used.use().person();
    @Nullable Read last = reads.get(slot(realm, person));
    if (last == null
        || !last.realm().equals(realm)
        || !last.person().equals(person)
        || !changes.isQuietSince(CountedUpdates.key(realm, person), last.count())) {
      return Optional.empty();
    }
    TokenHolder holder = last.owned().holder();
    boolean counts =
        holder.wrong() < most
            && last.owned().tokens().stream()
                .anyMatch(token -> token.serial().equals(used.token().serial()) && isUsable(token, used, now));
    return counts ? Optional.of(holder) : Optional.empty();
  }

  private static boolean isUsable(Token token, Tokens.Used used, Instant now) {
    return token.isUsable(now) && Arrays.equals(token.sealedSeed(), used.token().sealedSeed()) && token.lastUsed() < used.use().used();
  }
}
