package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.federation.PersistentNameId;
import dev.gatehouse.common.federation.PersistentNameIds;
import dev.gatehouse.common.saml.SamlRefusal;
import dev.gatehouse.common.saml.SamlRefusal.Reason;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.common.saml.message.Received;
import dev.gatehouse.common.saml.message.SamlMessage.LogoutRequest;
import dev.gatehouse.common.store.ReplayCache;
import dev.gatehouse.idp.session.EndCause;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.saml.DestinationCheck;
import dev.gatehouse.idp.saml.MessageFreshnessCheck;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Validates a service provider's LogoutRequest, of any binding, and ends its sessions. */
final class LogoutRequestRules {

  private static final Duration REPLAY_MARK = MessageFreshnessCheck.OLDEST.plus(Duration.ofMinutes(5));

  private final IdpSessions sessions;
  private final PersistentNameIds persistent;
  private final ReplayCache replay;
  private final InstantSource clock;

  LogoutRequestRules(IdpSessions sessions, PersistentNameIds persistent, ReplayCache replay, InstantSource clock) {
    this.sessions = sessions;
    this.persistent = persistent;
    this.replay = replay;
    this.clock = clock;
  }

  /**
   * Returns the reason to refuse it. Marks a valid request as seen.
   *
   * @param location our address to which it must be addressed
   */
  Optional<SamlRefusal> check(RealmRequest request, Received<LogoutRequest> received, String location) {
    LogoutRequest message = received.message();
    Instant now = clock.instant();
    return DestinationCheck.check(received, location)
        .or(() -> MessageFreshnessCheck.check(message, now))
        .or(() -> LogoutExpiryCheck.check(message, now))
        .or(() -> replayed(request, message, now));
  }

  /**
   * Ends the sessions that the request names: by Issuer, NameID and, if it contains any, SessionIndex. An unknown
   * session counts as ended (SAML Core 3.7.3.2).
   *
   * <p>A persistent NameID names the person, whose sessions may have begun under another one: a NewID has replaced it since (Core 3.6.3),
   * and the request has the one that counts now (Core 3.7.1).
   */
  List<IdpSession> end(RealmRequest request, LogoutRequest message) {
    return endOwn(request, message)
        .map(List::of)
        .orElseGet(
            () ->
                meant(request.realm().name(), message).stream()
                    .flatMap(session -> end(request, session).stream())
                    .toList());
  }

  private List<IdpSession> meant(String realm, LogoutRequest message) {
    List<IdpSession> named =
        sessions.ofParticipant(realm, message.issuer(), message.nameId()).stream()
            .filter(session -> isMeant(session, message))
            .toList();
    if (!message.nameId().format().equals(NameId.PERSISTENT) || areAllListed(named, message)) {
      return named;
    }
    return person(realm, message, named)
        .map(known -> sessions.ofPerson(realm, known).stream().filter(session -> isMeant(session, message)).toList())
        .orElse(named);
  }

  private Optional<PersonId> person(String realm, LogoutRequest message, List<IdpSession> named) {
    return named.stream()
        .findFirst()
        .map(IdpSession::person)
        .or(() -> persistent.named(realm, message.issuer(), message.nameId().value()).map(PersistentNameId::person));
  }

  /** Returns whether the sessions are all that the request lists: we make a SessionIndex for one session. */
  private static boolean areAllListed(List<IdpSession> found, LogoutRequest message) {
    List<String> indexes =
        found.stream()
            .flatMap(session -> participations(session, message))
            .map(IdpSession.Participant::sessionIndex)
            .toList();
    return !message.sessionIndexes().isEmpty() && indexes.containsAll(message.sessionIndexes());
  }

  /**
   * Most requests come with the browser of the only session that they name: then no other one is searched. If that has ended meanwhile, one
   * that took its participants over is.
   */
  private Optional<IdpSession> endOwn(RealmRequest request, LogoutRequest message) {
    return sessions.sent(request).filter(own -> isAloneMeant(own, message)).flatMap(own -> end(request, own));
  }

  private Optional<IdpSession> end(RealmRequest request, IdpSession session) {
    return sessions.end(request.context(), session.realm(), session.id(), EndCause.PARTNER);
  }

  /**
   * Returns whether the request can mean no other session: we make a SessionIndex for one session, and a session that takes over the
   * participants of another one begins after that has ended.
   */
  private static boolean isAloneMeant(IdpSession session, LogoutRequest message) {
    return message.sessionIndexes().size() == 1
        && session.indexKeys().contains(IdpSession.indexKey(session.realm(), message.issuer(), message.nameId()))
        && isMeant(session, message);
  }

  /** Returns whether the request means this session of the person whom it names, under whichever name of the person. */
  private static boolean isMeant(IdpSession session, LogoutRequest message) {
    return participations(session, message)
        .anyMatch(p -> message.sessionIndexes().isEmpty() || message.sessionIndexes().contains(p.sessionIndex()));
  }

  /** The partner's participations in the session, under names of the format that the request has. */
  private static Stream<IdpSession.Participant> participations(IdpSession session, LogoutRequest message) {
    return session.participants().stream()
        .filter(p -> p.entityId().equals(message.issuer()) && p.nameId().format().equals(message.nameId().format()));
  }

  private Optional<SamlRefusal> replayed(RealmRequest request, LogoutRequest message, Instant now) {
    boolean first =
        replay.firstSeen(
            new ReplayCache.ReplayKey(request.realm().name(), message.issuer(), message.id()), now.plus(REPLAY_MARK));
    return first ? Optional.empty() : Optional.of(new SamlRefusal(Reason.REPLAYED, "LogoutRequest came before"));
  }
}
