package dev.gatehouse.idp.oauth.token;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.ValueCodec;
import java.time.Instant;
import java.time.InstantSource;

/** Revoked identifiers, each stored until it would have expired by itself. */
public final class Revocations {

  /** The name of the store. */
  public static final String STORE = "oauth-revoked";

  private final SingleUseStore<Instant> store;
  private final Instant notBefore;
  private final InstantSource clock;

  /** @param notBefore tokens issued before this time count as revoked, because their revocations may have been lost */
  public Revocations(SingleUseStore<Instant> store, Instant notBefore, InstantSource clock) {
    this.store = store;
    this.notBefore = notBefore;
    this.clock = clock;
  }

  /** The revocation is durable when the method returns. Revoking again has no effect. */
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
      // A concurrent call revoked it.
    }
  }

  /** Returns whether a token that is known only by its signature is revoked. */
  boolean isRevoked(AccessToken token) {
    return token.validity().issuedAt().isBefore(notBefore) || isRevoked(token.id());
  }

  boolean isRevoked(String id) {
    return store.peek(id).isPresent();
  }

  /** The codec of the time of revocation. */
  public static final class Codec implements ValueCodec<Instant> {
    private static final int VERSION = 1;

    @Override
    public byte[] encode(Instant value) {
      PackedWriter out = new PackedWriter();
      out.number(VERSION);
      out.instant(value);
      return out.toBytes();
    }

    /** A value from a later version still means that the identifier is revoked. */
    @Override
    public Instant decode(byte[] bytes) {
      PackedReader in = new PackedReader(bytes);
      return in.number() == VERSION ? in.instant() : Instant.EPOCH;
    }
  }
}
