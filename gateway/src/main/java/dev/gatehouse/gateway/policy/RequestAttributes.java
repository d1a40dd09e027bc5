package dev.gatehouse.gateway.policy;

import dev.gatehouse.common.session.SessionId;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Optional;

/**
 * The attributes of a request that decisions may use, besides its subject. They are computed only when a rule uses
 * them.
 */
public interface RequestAttributes {

  /** The method of the request line; no field or parameter overrides it. */
  String method();

  /** In lower case, without port. */
  String host();

  /** The normalised path, which is also the forwarded one. */
  String path();

  /** The client's address after trusted proxies. */
  InetAddress client();

  Instant now();

  /** When the session was last used, if its use is tracked; otherwise the epoch. */
  default Instant lastUse(SessionId session) {
    return Instant.EPOCH;
  }

  /**
   * The unescaped value in the path for {@code {name}} in the route's template; empty if the template has no such
   * variable.
   */
  Optional<String> variable(String name);
}
