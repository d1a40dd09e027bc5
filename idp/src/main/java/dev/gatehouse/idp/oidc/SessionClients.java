package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.authn.IdpSession;
import dev.gatehouse.idp.authn.IdpSession.Participant;
import dev.gatehouse.idp.authn.IdpSessions;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** The clients among the participants of IdpSessions: those that got an ID token in one, each with a {@code sid} of its own. */
public final class SessionClients {

  /** 132 bits: no client can guess another's. */
  private static final int SID_CHARACTERS = 22;

  private final IdpSessions sessions;
  private final InstantSource clock;
  private final RandomGenerator random;

  public SessionClients(IdpSessions sessions, InstantSource clock, RandomGenerator random) {
    this.sessions = sessions;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Records that a client knows of the session, durably; nothing is written where it knew before.
   *
   * @param first the id that the session began with
   * @return the client's {@code sid}; empty where the session has ended
   */
  Optional<String> join(String realm, SessionId first, String clientId, String subject) {
    Optional<IdpSession> session = sessions.begunAs(realm, first);
    Optional<String> known = session.flatMap(s -> s.client(clientId)).map(Participant::sessionIndex);
    if (session.isEmpty() || known.isPresent()) {
      return known;
    }
    String sid = SessionToken.create(random).value().substring(0, SID_CHARACTERS);
    return sessions
        .join(session.get(), Participant.client(clientId, subject, sid, clock.instant()))
        // Of two that join at the same time one is first, and its sid counts.
        .flatMap(joined -> joined.client(clientId))
        .map(Participant::sessionIndex);
  }
}
