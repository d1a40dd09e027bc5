package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.codec.Vocabulary;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.ValueCodec;
import java.time.Instant;
import java.time.InstantSource;

/** Identifiers that count no more, each until it would have expired by itself. */
public final class Revocations {

  /** The name of the store. */
  public static final String STORE = "oauth-revoked";

  private final SingleUseStore<Instant> store;
  private final Instant notBefore;
  private final InstantSource clock;

  /** @param notBefore of tokens that were issued before nobody knows whether they were revoked: they count as such */
  public Revocations(SingleUseStore<Instant> store, Instant notBefore, InstantSource clock) {
    this.store = store;
    this.notBefore = notBefore;
    this.clock = clock;
  }

  /** Durable when it returns; again is the same as once. */
  void revoke(String id, Instant until) {
    if (isRevoked(id)) {
      return;
    }
    try {
      store.put(id, clock.instant(), until);
    } catch (IllegalStateException e) {
      if (!isRevoked(id)) {
        throw e;
      }
      // Somebody else revoked it in this very moment.
    }
  }

  /** Whether a token that is known by its signature alone counts no more. */
  boolean isRevoked(AccessToken token) {
    return token.issuedAt().isBefore(notBefore) || isRevoked(token.id());
  }

  boolean isRevoked(String id) {
    return store.peek(id).isPresent();
  }

  /** When it was revoked. */
  public static final class Codec implements ValueCodec<Instant> {
    private static final int VERSION = 1;

    @Override
    public byte[] encode(Instant value) {
      PackedWriter out = new PackedWriter(Vocabulary.none());
      out.number(VERSION);
      out.instant(value);
      return out.toBytes();
    }

    /** Whatever a later version writes: it is revoked. */
    @Override
    public Instant decode(byte[] bytes) {
      PackedReader in = new PackedReader(bytes, Vocabulary.none());
      return in.number() == VERSION ? in.instant() : Instant.EPOCH;
    }
  }
}
