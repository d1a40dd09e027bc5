package dev.gatehouse.idp.agent.server;

import java.util.Map;

/** What became of a request that may be repeated. */
public sealed interface Sent {

  /** A server did what was asked. */
  record Done(Map<String, Object> json) implements Sent {}

  /**
   * A server is there, and did not.
   *
   * @param status of HTTP
   */
  record Refused(int status) implements Sent {

    /** Returns whether other requests of this agent would be refused now, too: it asks too often, or is not known, or stores are away. */
    public boolean isForAll() {
      return status != 400 && status != 413;
    }
  }

  /** No server answers. */
  record NotReached() implements Sent {}
}
