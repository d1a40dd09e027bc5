package dev.gatehouse.sp.login;

import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.sp.session.AppSession;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a route asks of a login besides being one.
 *
 * @param identityProvider the only one whose logins count; any of the realm's where empty
 * @param authnContext AuthnContextClassRefs of which the login must have earned one; any login where empty
 * @param demand how long the login may be ago, and the last use
 */
public record LoginRequirements(Optional<String> identityProvider, List<String> authnContext, SessionDemand demand) {

  /** Any login at all. */
  public static final LoginRequirements ANY = new LoginRequirements(Optional.empty(), List.of(), SessionDemand.NONE);

  public static LoginRequirements of(RouteConfig route) {
    return new LoginRequirements(route.identityProvider(), route.authnContext(), route.session());
  }

  /** The need of the realm's route of that name; {@link #ANY} where there is none. */
  static LoginRequirements of(Realm realm, RouteLogin asked) {
    return realm.gateway().routes().stream()
        .filter(config -> config.name().equals(asked.route()))
        .findFirst()
        .map(config -> of(config).steppedUp(config, asked.stepUp()))
        .orElse(ANY);
  }

  /** What a step-up asks arrives by a link: only what the route's policies want of logins counts of it, and never less. */
  private LoginRequirements steppedUp(RouteConfig config, List<String> wanted) {
    List<String> known = authnContext.isEmpty() ? config.policyContexts() : authnContext;
    List<String> counted = wanted.stream().filter(known::contains).toList();
    return counted.isEmpty() ? this : new LoginRequirements(identityProvider, counted, demand);
  }

  /** Whether the session was opened at the right identity provider. */
  public boolean acceptsProvider(AppSession session) {
    return identityProvider.isEmpty() || identityProvider.get().equals(session.identityProvider());
  }

  /** Whether the session's login was strong enough. */
  public boolean acceptsContext(AppSession session) {
    return authnContext.isEmpty() || session.authnContextClassRef().filter(authnContext::contains).isPresent();
  }

  /** Whether the login is fresh enough, and the last use, which is not before the login. */
  public boolean acceptsAge(AppSession session, Instant lastUse, Instant now) {
    Instant login = session.authenticatedAt();
    Instant used = lastUse.isAfter(login) ? lastUse : login;
    return demand.absolute().filter(most -> !now.isBefore(login.plus(most))).isEmpty()
        && demand.idle().filter(most -> !now.isBefore(used.plus(most))).isEmpty();
  }

  /** Whether the session is as it has to be, and nothing but its age may be wrong with it. */
  boolean isMetButForAge(AppSession session) {
    return acceptsProvider(session) && acceptsContext(session);
  }

  /** Whether the session has all that is needed, as far as can be said here: who used it when, the gateway knows. */
  public boolean isMetBy(AppSession session, Instant now) {
    return isMetButForAge(session) && acceptsAge(session, Instant.EPOCH, now);
  }
}
