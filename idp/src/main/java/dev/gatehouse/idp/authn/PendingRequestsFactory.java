package dev.gatehouse.idp.authn;

import dev.gatehouse.common.key.SealingKey;
import dev.gatehouse.common.sealed.PendingCookies;
import dev.gatehouse.common.sealed.PendingOverflow;
import dev.gatehouse.common.sealed.SealedState;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.idp.endpoint.Refusals;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/**
 * Makes the {@link PendingRequests} of each protocol. What is too large for a cookie shares one memory, with one bound.
 *
 * @param marks of requests that were answered
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

  /** @param family short, of lower case letters: part of the cookies' names; each may be asked for once */
  public <A> PendingRequests<A> room(String family, PackedCodec<A> codec) {
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
