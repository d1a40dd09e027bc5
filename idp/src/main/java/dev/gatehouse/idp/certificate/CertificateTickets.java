package dev.gatehouse.idp.certificate;

import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The issued tickets: usable once, valid for one minute. */
public final class CertificateTickets {

  /** The name of the store. */
  public static final String STORE = "idp-certificate-tickets";

  private static final Duration LIFE = Duration.ofMinutes(1);

  private final SingleUseStore<CertificateTicket> store;
  private final InstantSource clock;
  private final RandomGenerator random;

  public CertificateTickets(Stores stores, InstantSource clock, RandomGenerator random) {
    this.store = stores.singleUse(STORE, new JsonCodec<>(CertificateTicket.class));
    this.clock = clock;
    this.random = random;
  }

  /** @return its key, which only the holder's browser receives */
  String issue(CertificateTicket ticket) {
    String key = SessionToken.create(random).value();
    store.put(key, ticket, clock.instant().plus(LIFE));
    return key;
  }

  /** Looks without taking. */
  public Optional<CertificateTicket> find(String key) {
    return store.peek(key);
  }

  /** Takes the ticket. Returns true to exactly one caller. */
  public boolean take(String key) {
    return store.take(key) instanceof TakeResult.First;
  }
}
