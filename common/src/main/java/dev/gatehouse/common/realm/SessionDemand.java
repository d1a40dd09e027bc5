package dev.gatehouse.common.realm;

import java.time.Duration;
import java.util.Optional;

/**
 * How fresh a route wants the person's session; the sp's own limits hold besides.
 *
 * @param idle longest time since the session was last used on a route with such a limit
 * @param absolute longest time since the login
 */
public record SessionDemand(Optional<Duration> idle, Optional<Duration> absolute) {

  /** As the sp says. */
  public static final SessionDemand NONE = new SessionDemand(Optional.empty(), Optional.empty());
}
