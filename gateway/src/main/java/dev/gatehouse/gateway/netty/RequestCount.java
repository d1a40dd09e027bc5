package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.traffic.ConnectionCount;
import dev.gatehouse.gateway.upstream.Demand;

/** Counts the active requests to apps of one client connection. Used by its event loop only. */
final class RequestCount {

  private final ConnectionCount.OfAddress address;
  private int running;

  /** @param address of the client, with its connections */
  RequestCount(ConnectionCount.OfAddress address) {
    this.address = address;
  }

  void begun() {
    running++;
  }

  void ended() {
    running--;
  }

  /** The address of the client. */
  ConnectionCount.OfAddress address() {
    return address;
  }

  /** Whether other clients come first when connections to apps are scarce. */
  Demand demand() {
    return Demand.of(address.open(), running);
  }
}
