package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.session.SessionId;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Optional;

/** What a decision may look at of the request, besides who asks. Nothing is computed before a rule asks for it. */
public interface RequestAttributes {

  /** As on the request line: no field and no parameter changes it. */
  String method();

  /** In lower case, without port. */
  String host();

  /** Normalised: what is forwarded. */
  String path();

  /** After trusted proxies. */
  InetAddress client();

  Instant now();

  /** When that session was last used where its use is watched; the epoch where nobody knows. */
  default Instant lastUse(SessionId session) {
    return Instant.EPOCH;
  }

  /** What stands in the path where the route's template has {@code {name}}, unescaped; empty where it has none such. */
  Optional<String> variable(String name);
}
