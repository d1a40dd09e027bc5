package dev.gatehouse.perf.sessions;

import dev.gatehouse.common.session.Session;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.ValueCodec;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessionCodec;
import dev.gatehouse.sp.session.AppSession;
import dev.gatehouse.sp.session.AppSessionCodec;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** One of the two kinds of sessions: how a login opens one. */
public record SessionKind<S extends Session>(String name, String store, ValueCodec<S> codec, Opening<S> opening) {

  /** Opens the session of person {@code number}. */
  @FunctionalInterface
  interface Opening<S extends Session> {
    SessionId open(SessionStore<S> store, GeneratedSessions made, int number, Instant now);
  }

  public static final SessionKind<IdpSession> IDP =
      new SessionKind<>("identity provider", "idp-sessions", new IdpSessionCodec(), SessionKind::withTwoPartners);

  public static final SessionKind<AppSession> GATEWAY =
      new SessionKind<>(
          "gateway",
          "app",
          new AppSessionCodec(),
          (store, made, number, now) -> {
            AppSession session = made.atTheGateway(number, now);
            store.create(session);
            return session.id();
          });

  /** Opens sessions of as many people, of the realm {@code demo}. */
  public void fill(Stores stores, int sessions, Instant now) {
    SessionStore<S> filled = stores.sessions(store, codec);
    GeneratedSessions made = new GeneratedSessions();
    for (int number = 1; number <= sessions; number++) {
      fill(filled, made, number, now);
    }
  }

  /** As {@link #fill}; returns the ids of all. */
  public List<SessionId> opened(Stores stores, int sessions, Instant now) {
    SessionStore<S> filled = stores.sessions(store, codec);
    GeneratedSessions made = new GeneratedSessions();
    return IntStream.rangeClosed(1, sessions).mapToObj(number -> fill(filled, made, number, now)).toList();
  }

  SessionId fill(SessionStore<S> store, GeneratedSessions made, int number, Instant now) {
    return opening.open(store, made, number, now);
  }

  private static SessionId withTwoPartners(SessionStore<IdpSession> store, GeneratedSessions made, int number, Instant now) {
    IdpSession session = made.opened(number, now);
    store.create(session);
    for (int which = 1; which <= 2; which++) {
      IdpSession.Participant partner = made.partner(which, now);
      if (store.update(session.id(), s -> s.with(partner)).isEmpty()) {
        throw new IllegalStateException("a session is gone");
      }
    }
    return session.id();
  }
}
