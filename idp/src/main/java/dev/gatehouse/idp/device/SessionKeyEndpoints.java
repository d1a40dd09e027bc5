package dev.gatehouse.idp.device;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.device.BindableSession;
import dev.gatehouse.common.device.BoundCookies;
import dev.gatehouse.common.device.DeviceBinding;
import dev.gatehouse.common.device.DeviceChallenges;
import dev.gatehouse.common.device.DeviceProofs;
import dev.gatehouse.common.device.KeyEndpoints;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.session.DeviceKeys;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.SessionDevices;
import java.time.InstantSource;
import java.util.Optional;

/** Registration and refresh of the keys of IdpSessions. */
final class SessionKeyEndpoints {

  private final IdpSessions sessions;
  private final KeyEndpoints keys;

  SessionKeyEndpoints(
      IdpSessions sessions, DeviceProofs proofs, DeviceChallenges challenges, BoundCookies cookies, AuditLog audit, InstantSource time) {
    this.sessions = sessions;
    this.keys = new KeyEndpoints(new Bindable(sessions), proofs, challenges, cookies, audit, time, SessionDevices.BINDABLE);
  }

  /** A session that began while nothing was checked takes no key. */
  private record Bindable(IdpSessions sessions) implements BindableSession.Sessions {
    @Override
    public Optional<BindableSession> look(String realm, SessionId token) {
      return sessions.find(realm, token).filter(session -> session.device().binding(token).isPresent()).map(Bindable::of);
    }

    @Override
    public Optional<BindableSession> bind(SessionId session, Optional<DeviceBinding> from, DeviceBinding to) {
      return sessions.bind(session, from, to).map(Bindable::of);
    }

    private static BindableSession of(IdpSession session) {
      return new BindableSession(session.id(), session.person(), session.device());
    }
  }

  EdgeReply register(RealmRequest request) {
    return keys.register(DeviceKeys.place(request), request.http(), cookie(request));
  }

  EdgeReply refresh(RealmRequest request) {
    return keys.refresh(DeviceKeys.place(request), request.http(), cookie(request));
  }

  EdgeReply key(RealmRequest request) {
    return keys.key(DeviceKeys.place(request), request.http(), cookie(request));
  }

  private Optional<SessionId> cookie(RealmRequest request) {
    return sessions.token(request).map(SessionToken::id);
  }
}
