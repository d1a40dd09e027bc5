package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.util.List;

/** An authorization server under test, with the clients of {@link BenchClient}. */
interface AuthorizationServer extends AutoCloseable {

  /** Where its endpoints are: paths. */
  record Endpoints(String authorize, String token, String introspect, String userInfo, String tokenInfo, String push) {}

  String name();

  URI url();

  Endpoints endpoints();

  /** Waits until it can serve; called once, right after it was started. */
  void await() throws IOException, InterruptedException;

  /** Itself first, then what it needs. */
  List<ServerProcess> processes();

  @Override
  void close();
}
