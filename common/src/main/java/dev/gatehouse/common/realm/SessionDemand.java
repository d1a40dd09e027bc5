package dev.gatehouse.common.realm;

import java.time.Duration;
import java.util.Optional;

/**
 * The maximum age of sessions on a route; the sp's own limits apply as well. With an older session the person must
 * authenticate again.
 *
 * @param idle longest time since the session was last used on a route with such a limit at this node, or since the login
 * @param absolute longest time since the person authenticated at the identity provider
 */
public record SessionDemand(Optional<Duration> idle, Optional<Duration> absolute) {

  /** The sp's limits only. */
  public static final SessionDemand NONE = new SessionDemand(Optional.empty(), Optional.empty());
}
