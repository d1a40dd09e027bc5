package dev.gatehouse.common.realm;

import java.time.Duration;
import java.util.Optional;

/**
 * How fresh a route wants the person's session; the sp's own limits hold besides. Where it is not, the person has to prove anew who
 * they are.
 *
 * @param idle longest time since the session was last used on a route with such a limit at this node, or since the login
 * @param absolute longest time since the person proved who they are, at the identity provider
 */
public record SessionDemand(Optional<Duration> idle, Optional<Duration> absolute) {

  /** As the sp says. */
  public static final SessionDemand NONE = new SessionDemand(Optional.empty(), Optional.empty());
}
