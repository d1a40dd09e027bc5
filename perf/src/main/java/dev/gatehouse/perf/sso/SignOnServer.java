package dev.gatehouse.perf.sso;

import dev.gatehouse.perf.load.Browser;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.util.List;

/** An identity provider under test. */
interface SignOnServer extends AutoCloseable {

  String name();

  /** When its process was started ({@link System#nanoTime}). */
  long startedNanos();

  /** Waits until it can serve; called once, right after the start. */
  void await() throws IOException, InterruptedException;

  /** The source of AuthnRequests for it. */
  FreshRequests requests();

  /** A browser in which a person is logged in. */
  Browser login() throws IOException;

  /** The server's process first, then those of its backends. */
  List<ServerProcess> processes();

  @Override
  void close();
}
