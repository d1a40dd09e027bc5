package dev.gatehouse.common.http;

import java.net.InetAddress;
import java.util.Optional;

/**
 * Permits for outbound calls. A call takes one of its destination's permits and then one of its owner's. A call that waits for a
 * destination that hangs therefore holds no permit that other destinations of that owner need, and an owner with hundreds of names
 * that hang leaves the other half of all connections to others.
 */
final class OutboundPermits {

  private final FairPermits<Origin> destinations;
  private final FairPermits<String> owners;

  OutboundPermits(HttpClientExchanges.MaxConnections maxConnections) {
    this.destinations = new FairPermits<>(maxConnections.perDestination());
    this.owners = new FairPermits<>(maxConnections.perOwner());
  }

  /** A permit; closing returns it. */
  interface Permit extends AutoCloseable {
    @Override
    void close();
  }

  /** Takes a permit; empty if none became free before the deadline. */
  Optional<Permit> take(CurrentExchange exchange) throws InterruptedException {
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

  /** Returns the owner; empty for this machine, whose ports may be servers of different people. */
  private static Optional<String> owner(String host) {
    boolean isHere =
        host.equals("localhost")
            || Loopback.isBelowLocalhost(host)
            || RegistrableDomain.literal(host).filter(InetAddress::isLoopbackAddress).isPresent();
    return isHere ? Optional.empty() : Optional.of(RegistrableDomain.of(host));
  }
}
