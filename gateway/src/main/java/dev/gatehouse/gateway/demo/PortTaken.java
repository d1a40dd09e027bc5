package dev.gatehouse.gateway.demo;

/** Signals that a part of the demo cannot listen on its port. */
public final class PortTaken extends RuntimeException {
  private static final long serialVersionUID = 1;

  PortTaken(String who, int port, Exception cause) {
    super(who + " cannot listen on 127.0.0.1:" + port + ": " + cause.getMessage(), cause);
  }
}
