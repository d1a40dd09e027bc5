package dev.gatehouse.common.otp;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.otp.Tokens.Owned;
import dev.gatehouse.common.remembered.OwnChanges;
import dev.gatehouse.common.store.CopyStore;
import dev.gatehouse.common.store.Stores;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of what rows say about people and their tokens, so that a passcode is decided without four searches in the trees of the database.
 * A copy has the number of changes before its rows were read, and counts as long as none has begun since.
 */
final class OwnedCopies {

  /** The name of the store. */
  static final String STORE = "otp-people";

  private static final Logger LOG = LoggerFactory.getLogger(OwnedCopies.class);
  private static final TokenType.Kind[] KINDS = TokenType.Kind.values();
  private static final TokenType.Hash[] HASHES = TokenType.Hash.values();
  private static final Token.State[] STATES = Token.State.values();

  private final OwnChanges changes;
  private final Optional<CopyStore> store;

  OwnedCopies(OwnChanges changes, Stores stores) {
    this.changes = changes;
    this.store = stores.copies(STORE);
  }

  /** Returns what rows say, by a copy if there is one that counts. */
  Owned read(String realm, PersonId person, Supplier<Owned> rows) {
    String key = CountedUpdates.key(realm, person);
    Optional<OwnChanges.Count> count = store.isPresent() ? changes.quiet(key) : Optional.empty();
    if (count.isEmpty()) {
      return rows.get();
    }
    Optional<Owned> copy = store.orElseThrow().get(key).flatMap(bytes -> decoded(bytes, person, count.get()));
    if (copy.isPresent()) {
      return copy.get();
    }
    Owned owned = rows.get();
    store.orElseThrow().put(key, encoded(owned, count.get()));
    return owned;
  }

  private static byte[] encoded(Owned owned, OwnChanges.Count count) {
    PackedWriter out = new PackedWriter();
    out.number(count.all());
    out.number(count.some());
    TokenHolder holder = owned.holder();
    out.optional(holder.sealedPins(), PackedWriter::bytes);
    out.number(holder.newPin() ? 1 : 0);
    out.number(holder.wrong());
    out.optional(holder.lockedUntil(), PackedWriter::instant);
    out.list(owned.tokens(), OwnedCopies::write);
    return out.toBytes();
  }

  private static void write(PackedWriter out, Token token) {
    out.text(token.serial());
    out.number(token.type().kind().ordinal());
    out.number(token.type().hash().ordinal());
    out.number(token.type().digits());
    out.number(token.type().period());
    out.optional(token.type().suite(), PackedWriter::text);
    out.bytes(token.sealedSeed());
    out.number(token.state().ordinal());
    out.number(token.lastUsed() + 1);
    out.number(Integer.toUnsignedLong(token.drift()));
    out.optional(token.expiresAt(), PackedWriter::instant);
    out.optional(token.usedAt(), PackedWriter::instant);
    out.optional(token.replaces(), PackedWriter::text);
  }

  private static Optional<Owned> decoded(byte[] bytes, PersonId person, OwnChanges.Count now) {
    PackedReader in = new PackedReader(bytes);
    try {
      if (in.number() != now.all() || in.number() != now.some()) {
        return Optional.empty();
      }
      TokenHolder holder =
          new TokenHolder(in.optional(PackedReader::bytes), in.number() == 1, (int) in.number(), in.optional(PackedReader::instant));
      List<Token> tokens = in.list(fields -> token(fields, person));
      in.requireEnd();
      return Optional.of(new Owned(holder, tokens));
    } catch (IllegalArgumentException e) {
      LOG.warn("A copy about a person with tokens cannot be read", e);
      return Optional.empty();
    }
  }

  private static Token token(PackedReader in, PersonId person) {
    return new Token(
        in.text(),
        new TokenType(
            KINDS[(int) in.number()], HASHES[(int) in.number()], (int) in.number(), (int) in.number(), in.optional(PackedReader::text)),
        in.bytes(),
        STATES[(int) in.number()],
        Optional.of(person),
        in.number() - 1,
        (int) in.number(),
        in.optional(PackedReader::instant),
        in.optional(PackedReader::instant),
        in.optional(PackedReader::text));
  }
}
