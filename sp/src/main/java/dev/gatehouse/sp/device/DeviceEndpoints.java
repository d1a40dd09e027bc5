package dev.gatehouse.sp.device;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.device.BindableSession;
import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.DeviceChallenges;
import dev.gatehouse.common.device.DeviceProofs;
import dev.gatehouse.common.device.KeyEndpoints;
import dev.gatehouse.common.device.KeyPlace;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.sp.edge.Refusals;
import dev.gatehouse.sp.edge.SpPaths;
import dev.gatehouse.sp.edge.SpRealm;
import dev.gatehouse.sp.session.AppCookie;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessions;
import java.time.InstantSource;
import java.util.Optional;

/**
 * Registration and refresh of keys for the sessions at apps. The browser itself calls {@link #REGISTRATION} and {@link #REFRESH} (Device
 * Bound Session Credentials); a page of ours calls {@link #KEY} for a key that it keeps by WebCrypto.
 */
public final class DeviceEndpoints {

  /** The prefix of the paths of keys, which need no cookie of a proved key. */
  public static final String PREFIX = SpPaths.PREFIX + "device/";
  static final String REGISTRATION = PREFIX + "registration";
  static final String REFRESH = PREFIX + "refresh";

  /** The path at which our page registers and proves its key. */
  public static final String KEY = PREFIX + "key";

  private final KeyEndpoints keys;
  private final DeviceChallenges challenges;
  private final Refusals refusals;

  public DeviceEndpoints(
      AppSessions sessions,
      DeviceProofs proofs,
      DeviceChallenges challenges,
      BoundCookies cookies,
      Refusals refusals,
      AuditLog audit,
      InstantSource time) {
    this.keys = new KeyEndpoints(new Bindable(sessions), proofs, challenges, cookies, audit, time, KeyEndpoints.UNLIMITED);
    this.challenges = challenges;
    this.refusals = refusals;
  }

  private record Bindable(AppSessions sessions) implements BindableSession.Sessions {
    @Override
    public Optional<BindableSession> look(String realm, SessionId token) {
      return sessions.look(realm, token).map(Bindable::of);
    }

    @Override
    public Optional<BindableSession> bind(SessionId session, Optional<DeviceBinding> from, DeviceBinding to) {
      return sessions.bind(session, from, to).map(Bindable::of);
    }

    private static BindableSession of(AppSession session) {
      return new BindableSession(session.id(), session.person(), session.device());
    }
  }

  /** {@code Secure-Session-Registration}: the browser calls {@link #REGISTRATION} with a new key. */
  EdgeReply offered(SpRealm realm, EdgeReply reply, SessionId token) {
    return reply.with("Secure-Session-Registration", challenges.invitation(place(realm), token));
  }

  EdgeReply register(SpRealm realm, EdgeRequest request) {
    return isPost(request) ? keys.register(place(realm), request, cookie(request)) : refusals.methodNotAllowed(realm, request, "POST");
  }

  EdgeReply refresh(SpRealm realm, EdgeRequest request) {
    return isPost(request) ? keys.refresh(place(realm), request, cookie(request)) : refusals.methodNotAllowed(realm, request, "POST");
  }

  EdgeReply key(SpRealm realm, EdgeRequest request) {
    return isPost(request) ? keys.key(place(realm), request, cookie(request)) : refusals.methodNotAllowed(realm, request, "POST");
  }

  private static boolean isPost(EdgeRequest request) {
    return request.method().equals("POST");
  }

  private static Optional<SessionId> cookie(EdgeRequest request) {
    return AppCookie.token(request).map(SessionToken::id);
  }

  /** The addresses and the cookie by which sessions at apps are bound. */
  public static KeyPlace place(SpRealm realm) {
    return new KeyPlace(realm.name(), PREFIX, "/", BoundCookies.NAME);
  }
}
