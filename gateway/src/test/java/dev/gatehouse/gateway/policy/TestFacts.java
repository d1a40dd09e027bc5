package dev.gatehouse.gateway.policy;

import java.net.InetAddress;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** A request that rules may look at. */
record TestFacts(String method, String host, String path, InetAddress client, Instant now, Map<String, String> variables)
    implements RequestAttributes {

  static TestFacts get(String path) {
    return new TestFacts("GET", "app.example", path, InetAddress.ofLiteral("192.0.2.1"), Instant.EPOCH, Map.of());
  }

  @Override
  public Optional<String> variable(String name) {
    return Optional.ofNullable(variables.get(name));
  }
}
