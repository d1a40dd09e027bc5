package dev.gatehouse.gateway.process;

import java.util.ArrayList;
import java.util.List;

/** The servers of a test, which end in the reverse of the order in which they began. */
public final class Servers implements AutoCloseable {

  /** What begins them. */
  public interface Start {
    void begin() throws Exception;
  }

  private final List<AutoCloseable> begun = new ArrayList<>();

  public <T extends AutoCloseable> T begun(T server) {
    begun.add(server);
    return server;
  }

  /** Begins them all; where one does not, those before it end. */
  public void all(Start start) throws Exception {
    try {
      start.begin();
    } catch (Exception | Error e) {
      close();
      throw e;
    }
  }

  @Override
  public void close() throws Exception {
    List<AutoCloseable> ending = List.copyOf(begun.reversed());
    begun.clear();
    for (AutoCloseable server : ending) {
      server.close();
    }
  }
}
