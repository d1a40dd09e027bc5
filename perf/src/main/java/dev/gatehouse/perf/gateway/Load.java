package dev.gatehouse.perf.gateway;

import java.io.IOException;

/** Runs one work at one server for some seconds. */
interface Load extends AutoCloseable {

  /**
   * Runs the work.
   *
   * @throws IOException if a response is not as expected
   */
  WorkWindow run(String phase, int seconds) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
