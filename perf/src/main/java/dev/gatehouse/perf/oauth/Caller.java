package dev.gatehouse.perf.oauth;

import java.io.IOException;

/** Does one flow over and over, alone. For one thread at a time. */
interface Caller extends AutoCloseable {

  /** Makes its connections anew: servers close those that were idle. */
  void reconnect() throws IOException;

  /** Does the flow once, and throws where an answer is not what it has to be. */
  void once() throws IOException;

  @Override
  void close() throws IOException;
}
