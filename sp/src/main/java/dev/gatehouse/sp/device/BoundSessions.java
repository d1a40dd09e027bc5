package dev.gatehouse.sp.device;

import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.DeviceBinding.Kind;
import dev.gatehouse.common.device.DeviceBinding.State.Bound;
import dev.gatehouse.common.device.Fingerprint;
import dev.gatehouse.common.http.Cookies;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.realm.SessionAssurance;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppCookie;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The sessions of browsers at our own pages. A session that is bound to a key counts only for a browser that proved the key lately:
 * otherwise a stolen cookie could get a token for another origin here, or change what the person keeps with us.
 */
public final class BoundSessions {

  private final AppSessions sessions;
  private final BoundCookies cookies;
  private final InstantSource time;

  public BoundSessions(AppSessions sessions, BoundCookies cookies, InstantSource time) {
    this.sessions = sessions;
    this.cookies = cookies;
    this.time = time;
  }

  /**
   * Returns the session of the browser that sent the request, unless it is bound to a key that the browser has not proved, or the
   * request comes from another kind of browser.
   */
  public Optional<AppSession> ofBrowser(SpRealm realm, EdgeRequest request) {
    return AppCookie.token(request)
        .flatMap(token -> sessions.load(realm.name(), token).filter(session -> counts(realm, request, token, session)));
  }

  /** Returns whether the request has the cookie of a session that does not count for it. */
  public boolean isElsewhere(SpRealm realm, EdgeRequest request) {
    return AppCookie.token(request).flatMap(token -> sessions.load(realm.name(), token)).isPresent()
        && ofBrowser(realm, request).isEmpty();
  }

  /** Returns whether the session would count if the browser proved the key that our page made. */
  public boolean waitsForProof(SpRealm realm, EdgeRequest request) {
    return isElsewhere(realm, request)
        && AppCookie.token(request)
            .flatMap(token -> sessions.load(realm.name(), token).filter(session -> !differs(request, session))
                .flatMap(session -> session.device().binding(token.id())))
            .filter(binding -> binding.state() instanceof Bound bound && bound.kind() == Kind.WEB_CRYPTO)
            .isPresent();
  }

  private static boolean differs(EdgeRequest request, AppSession session) {
    return session
        .device()
        .fingerprint()
        .filter(then -> then.difference(Fingerprint.of(request), request.isNavigation()) >= Fingerprint.DIFFERENT)
        .isPresent();
  }

  private boolean counts(SpRealm realm, EdgeRequest request, SessionToken token, AppSession session) {
    if (session.device().bindings().isEmpty() || DeviceLogin.strongest(realm) != SessionAssurance.ENFORCE) {
      return true;
    }
    SessionId id = token.id();
    if (differs(request, session)) {
      return false;
    }
    return switch (session.device().binding(id).map(DeviceBinding::state).orElseGet(DeviceBinding.State.Unbound::new)) {
      case Bound bound ->
          request
              .cookie(Cookies.name(request.origin(), BoundCookies.NAME))
              .flatMap(value -> cookies.end(realm.name(), id, bound.thumbprint(), value, time.instant()))
              .isPresent();
      case DeviceBinding.State.Unbound unbound -> true;
      case DeviceBinding.State.Keyless keyless -> true;
    };
  }
}
