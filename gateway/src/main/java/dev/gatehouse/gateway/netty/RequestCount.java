package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.upstream.ConnectionPermits;

/** Counts the active requests to apps of one client connection. Used by its event loop only. */
final class RequestCount {

  private int running;

  void begun() {
    running++;
  }

  void ended() {
    running--;
  }

  /** Whether other clients come first when connections to apps are scarce. */
  boolean isMany() {
    return running > ConnectionPermits.FEW;
  }
}
