package dev.gatehouse.common.http;

import java.net.InetAddress;
import java.util.Optional;

/**
 * Shares the places of outbound calls. A call takes one of its destination's places and then one of its owner's: who waits for a
 * destination that hangs holds nothing that other destinations of that owner need, and an owner with hundreds of names that
 * hang leaves the other half of all places to others.
 */
final class OutboundPlaces {

  private final FairPermits<Origin> destinations;
  private final FairPermits<String> owners;

  OutboundPlaces(HttpClientExchanges.Places places) {
    this.destinations = new FairPermits<>(places.perDestination());
    this.owners = new FairPermits<>(places.perOwner());
  }

  /** A place, until it is closed. */
  interface Place extends AutoCloseable {
    @Override
    void close();
  }

  /** Waits within the deadline; empty where it is over. */
  Optional<Place> take(CurrentExchange exchange) throws InterruptedException {
    Origin destination = exchange.origin();
    if (!destinations.acquire(destination, exchange.outgoing().millisLeft())) {
      return Optional.empty();
    }
    boolean taken = false;
    try {
      Optional<String> owner = owner(destination.host());
      taken = owner.isEmpty() || owners.acquire(owner.get(), exchange.outgoing().millisLeft());
      return taken ? Optional.of(() -> giveBack(destination, owner)) : Optional.empty();
    } finally {
      if (!taken) {
        destinations.release(destination);
      }
    }
  }

  private void giveBack(Origin destination, Optional<String> owner) {
    owner.ifPresent(owners::release);
    destinations.release(destination);
  }

  /** Empty for this machine, whose ports are servers of different people. */
  private static Optional<String> owner(String host) {
    boolean isHere =
        host.equals("localhost")
            || Loopback.isBelowLocalhost(host)
            || RegistrableDomain.literal(host).filter(InetAddress::isLoopbackAddress).isPresent();
    return isHere ? Optional.empty() : Optional.of(RegistrableDomain.of(host));
  }
}
