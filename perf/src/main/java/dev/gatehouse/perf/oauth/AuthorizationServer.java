package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.util.List;

/** An authorization server under test, with the clients of {@link BenchClient}. */
interface AuthorizationServer extends AutoCloseable {

  /** The paths of its endpoints. */
  record Endpoints(String authorize, String token, String introspect, String userInfo, String tokenInfo, String push) {}

  String name();

  URI url();

  Endpoints endpoints();

  /** Waits until it can serve; called once, right after the start. */
  void await() throws IOException, InterruptedException;

  /** The server's process first, then those of its backends. */
  List<ServerProcess> processes();

  @Override
  void close();
}
