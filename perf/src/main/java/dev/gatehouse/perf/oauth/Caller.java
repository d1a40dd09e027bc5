package dev.gatehouse.perf.oauth;

import java.io.IOException;

/** Repeats one flow. For one thread at a time. */
interface Caller extends AutoCloseable {

  /** Opens new connections, because servers close idle ones. */
  void reconnect() throws IOException;

  /**
   * Does the flow once.
   *
   * @throws IOException if a response is not as expected
   */
  void once() throws IOException;

  @Override
  void close() throws IOException;
}
