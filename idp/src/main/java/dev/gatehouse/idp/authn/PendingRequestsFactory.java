package dev.gatehouse.idp.authn;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.sealed.PendingCookies;
import dev.gatehouse.common.sealed.PendingOverflow;
import dev.gatehouse.common.sealed.SealedState;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.idp.endpoint.Refusals;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Creates the {@link PendingRequests} of each protocol. Requests that are too large for a cookie share one memory area
 * with one limit.
 *
 * @param marks of answered requests
 * @param random a SecureRandom outside tests
 */
public record PendingRequestsFactory(
    SealingKey sealing,
    PendingOverflow overflow,
    ReplayCache marks,
    BrowserBinding browsers,
    Refusals refusals,
    InstantSource clock,
    RandomGenerator random) {

  /** @param family short, of lower case letters, part of the cookies' names; may be used only once */
  public <A> PendingRequests<A> create(String family, PackedCodec<A> codec) {
    return new PendingRequests<>(
        this,
        family,
        codec,
        new PendingCookies(seal("waiting", family, codec), family, overflow, clock, random),
        new PendingCookies(seal("parked", family, codec), family + "parked", overflow, clock, random),
        seal("parked in the address", family, codec));
  }

  private SealedState seal(String purpose, String family, PackedCodec<?> codec) {
    return new SealedState(sealing, "idp " + family + " " + purpose, codec.version(), clock, random);
  }
}
