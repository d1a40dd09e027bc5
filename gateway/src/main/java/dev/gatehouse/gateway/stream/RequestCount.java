package dev.gatehouse.gateway.stream;

import dev.gatehouse.gateway.traffic.ConnectionCount;
import dev.gatehouse.gateway.upstream.Demand;

/** Counts the active requests to apps of one client connection. Used by its event loop only. */
public final class RequestCount {

  private final ConnectionCount.OfAddress address;
  private int running;

  /** @param address of the client, with its connections */
  public RequestCount(ConnectionCount.OfAddress address) {
    this.address = address;
  }

  public void begun() {
    running++;
  }

  public void ended() {
    running--;
  }

  /** The address of the client. */
  public ConnectionCount.OfAddress address() {
    return address;
  }

  /** Returns whether other clients come first when connections to apps are scarce. */
  public Demand demand() {
    return Demand.of(address.open(), running);
  }
}
