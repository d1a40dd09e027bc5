package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSession.Participant;
import dev.gatehouse.idp.session.IdpSessions;
import java.time.InstantSource;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The clients among the participants of IdpSessions: those that received an ID token in the session, each with its own
 * {@code sid}.
 */
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
   * Records a client as a participant of the session, durably. Writes nothing if it already is one.
   *
   * @param first the id with which the session began
   * @return the client's {@code sid}; empty if the session has ended
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
        // If two calls add the client at the same time, the sid of the first one is used.
        .flatMap(joined -> joined.client(clientId))
        .map(Participant::sessionIndex);
  }
}
