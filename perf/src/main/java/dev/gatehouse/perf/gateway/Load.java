package dev.gatehouse.perf.gateway;

import java.io.IOException;

/** Gives one work to one server for some seconds. */
interface Load extends AutoCloseable {

  /** Throws where an answer was not what it has to be. */
  WorkWindow run(String phase, int seconds) throws IOException, InterruptedException;

  @Override
  void close() throws IOException;
}
