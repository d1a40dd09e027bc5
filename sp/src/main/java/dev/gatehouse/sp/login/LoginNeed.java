package dev.gatehouse.sp.login;

import dev.gatehouse.common.realm.GatewayConfig.RouteConfig;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.sp.session.AppSession;
import java.util.List;
import java.util.Optional;

/**
 * What a route asks of a login besides being one.
 *
 * @param identityProvider the only one whose logins count; any of the realm's where empty
 * @param authnContext AuthnContextClassRefs of which the login must have earned one; any login where empty
 */
public record LoginNeed(Optional<String> identityProvider, List<String> authnContext) {

  /** Any login at all. */
  public static final LoginNeed ANY = new LoginNeed(Optional.empty(), List.of());

  public static LoginNeed of(RouteConfig route) {
    return new LoginNeed(route.identityProvider(), route.authnContext());
  }

  /** The need of the realm's route of that name; {@link #ANY} where there is none. */
  static LoginNeed of(Realm realm, String route) {
    return realm.gateway().routes().stream()
        .filter(config -> config.name().equals(route))
        .findFirst()
        .map(LoginNeed::of)
        .orElse(ANY);
  }

  /** Whether the session was opened at the right identity provider. */
  public boolean acceptsProvider(AppSession session) {
    return identityProvider.isEmpty() || identityProvider.get().equals(session.identityProvider());
  }

  /** Whether the session's login was strong enough. */
  public boolean acceptsContext(AppSession session) {
    return authnContext.isEmpty() || session.authnContextClassRef().filter(authnContext::contains).isPresent();
  }

  public boolean isMetBy(AppSession session) {
    return acceptsProvider(session) && acceptsContext(session);
  }
}
