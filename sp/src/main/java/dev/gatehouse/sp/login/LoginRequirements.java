package dev.gatehouse.sp.login;

import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.SessionDemand;
import dev.gatehouse.sp.session.AppSession;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The requirements of a route for a login.
 *
 * @param identityProvider the only identity provider whose logins count; empty means any of the realm
 * @param authnContext AuthnContextClassRefs of which the login must have one; empty means any login
 * @param demand the maximum ages of the login and of the last use
 */
public record LoginRequirements(Optional<String> identityProvider, List<String> authnContext, SessionDemand demand) {

  /** Any login at all. */
  public static final LoginRequirements ANY = new LoginRequirements(Optional.empty(), List.of(), SessionDemand.NONE);

  public static LoginRequirements of(RouteConfig route) {
    return new LoginRequirements(route.signOn().identityProvider(), route.signOn().authnContext(), route.signOn().session());
  }

  /** The requirements of the realm's route of this name; {@link #ANY} if there is no such route. */
  static LoginRequirements of(Realm realm, RouteLogin asked) {
    return realm.gateway().routes().stream()
        .filter(config -> config.name().equals(asked.route()))
        .findFirst()
        .map(config -> of(config).steppedUp(config, asked.stepUp()))
        .orElse(ANY);
  }

  /**
   * A step-up demand comes from a link. Only values that the route's policies require of logins count, so that the link
   * can never lower the requirements.
   */
  private LoginRequirements steppedUp(RouteConfig config, List<String> wanted) {
    List<String> known = authnContext.isEmpty() ? config.authorization().policyContexts() : authnContext;
    List<String> counted = wanted.stream().filter(known::contains).toList();
    return counted.isEmpty() ? this : new LoginRequirements(identityProvider, counted, demand);
  }

  /** Returns whether the session was opened at the required identity provider. */
  public boolean acceptsProvider(AppSession session) {
    return identityProvider.isEmpty() || identityProvider.get().equals(session.login().identityProvider());
  }

  /** Returns whether the session's authentication was strong enough. */
  public boolean acceptsContext(AppSession session) {
    return authnContext.isEmpty() || session.login().authnContextClassRef().filter(authnContext::contains).isPresent();
  }

  /** Returns whether the login and the last use are recent enough. The last use is never before the login. */
  public boolean acceptsAge(AppSession session, Instant lastUse, Instant now) {
    Instant login = session.login().authenticatedAt();
    Instant used = lastUse.isAfter(login) ? lastUse : login;
    return demand.absolute().filter(most -> !now.isBefore(login.plus(most))).isEmpty()
        && demand.idle().filter(most -> !now.isBefore(used.plus(most))).isEmpty();
  }

  /** Returns whether the session meets all requirements except perhaps its age. */
  boolean isMetButForAge(AppSession session) {
    return acceptsProvider(session) && acceptsContext(session);
  }

  /**
   * Returns whether the session meets all requirements that can be checked here. Only the gateway knows the last use.
   */
  public boolean isMetBy(AppSession session, Instant now) {
    return isMetButForAge(session) && acceptsAge(session, Instant.EPOCH, now);
  }
}
