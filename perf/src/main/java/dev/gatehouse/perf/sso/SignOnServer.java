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

  /** Waits until it can serve; called once, right after it was started. */
  void await() throws IOException, InterruptedException;

  /** Where its AuthnRequests come from. */
  FreshRequests requests();

  /** A browser in which somebody is logged in. */
  Browser login() throws IOException;

  /** Itself first, then what it needs. */
  List<ServerProcess> processes();

  @Override
  void close();
}
