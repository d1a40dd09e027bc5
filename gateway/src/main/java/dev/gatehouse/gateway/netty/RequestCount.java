package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.upstream.ConnectionPermits;

/** Requests to apps that one client's connection has under way. Belongs to its loop. */
final class RequestCount {

  private int running;

  void begun() {
    running++;
  }

  void ended() {
    running--;
  }

  /** Whether others come first where connections to apps are few. */
  boolean isMany() {
    return running > ConnectionPermits.FEW;
  }
}
