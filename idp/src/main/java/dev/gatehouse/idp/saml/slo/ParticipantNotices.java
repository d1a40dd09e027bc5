package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.crypto.Sha256;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.logout.LogoutNotices;
import dev.gatehouse.common.logout.LogoutReason;
import dev.gatehouse.common.saml.Binding;
import dev.gatehouse.common.saml.message.NameId;
import dev.gatehouse.idp.session.EndCause;
import dev.gatehouse.idp.session.EndNotices;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSession.Participant;
import dev.gatehouse.idp.saml.SpPartners;
import dev.gatehouse.idp.saml.slo.ClientParticipants.Reach;
import dev.gatehouse.idp.saml.slo.RunningLogout.Destination;
import dev.gatehouse.idp.saml.slo.RunningLogout.Target;
import dev.gatehouse.idp.saml.slo.RunningLogout.Ways;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * Creates back-channel notices from sessions and their participants. A participant without a SOAP endpoint or
 * backchannel_logout_uri cannot be notified without a browser; this is recorded in the audit log.
 */
public final class ParticipantNotices implements EndNotices {

  /**
   * A participant may keep its session until the latest end of ours. Notices are repeated for at least an hour, but not
   * for weeks.
   */
  private static final Duration LEAST_TRYING = Duration.ofHours(1);

  private static final Duration MAX_TRYING = Duration.ofHours(24);

  /** The time for which only the node that ended the session sends the notice; afterwards any node may. */
  private static final Duration HEAD_START = Duration.ofSeconds(30);

  private final LogoutNotices notices;
  private final SpPartners partners;
  private final ClientParticipants clients;
  private final AuditLog audit;
  private final InstantSource clock;

  public ParticipantNotices(
      LogoutNotices notices,
      SpPartners partners,
      ClientParticipants clients,
      AuditLog audit,
      InstantSource clock) {
    this.notices = notices;
    this.partners = partners;
    this.clients = clients;
    this.audit = audit;
    this.clock = clock;
  }

  @Override
  public void keep(IdpSession session, EndCause cause) {
    Instant due = clock.instant().plus(HEAD_START);
    reachable(session).forEach(one -> notices.enqueue(key(session, one), session.realm(), notice(session, one, cause), due));
  }

  @Override
  public void release(IdpSession ended, EndCause cause) {
    reachable(ended).forEach(one -> notices.enqueueNow(key(ended, one), ended.realm(), notice(ended, one, cause)));
  }

  @Override
  public void withdraw(IdpSession session) {
    reachable(session).forEach(one -> notices.withdraw(key(session, one)));
  }

  private Stream<Participant> reachable(IdpSession session) {
    return session.participants().stream().filter(participant -> isReachable(session.realm(), participant));
  }

  @Override
  public void send(IdpSession ended, EndCause cause) {
    for (Participant participant : ended.participants()) {
      if (isReachable(ended.realm(), participant)) {
        notices.deliver(key(ended, participant), ended.realm(), notice(ended, participant, cause));
      } else if (!participant.isClient() || clients.reach(ended.realm(), participant).isPresent()) {
        unreachable(ended, participant);
      }
    }
  }

  /** Notifies a target of a running logout now. */
  CompletableFuture<LogoutDeliveryResult> tell(String key, String realm, Target target, RunningLogout logout) {
    return notices.deliver(key, realm, notice(target, logout));
  }

  /** Schedules the notice for a target, in case the browser brings no answer until then. */
  boolean keep(String key, String realm, Target target, RunningLogout logout, Instant due) {
    return notices.enqueue(key, realm, notice(target, logout), due);
  }

  /** Sends the notice stored under the key now, instead of later. */
  void hurry(String key) {
    notices.deliverStored(key);
  }

  void withdraw(String key) {
    notices.withdraw(key);
  }

  Optional<LogoutNotice> find(String key) {
    return notices.find(key);
  }

  /** The participants of one person's sessions, as one target per partner and NameID, without one partner. */
  List<Target> targets(String realm, List<IdpSession> ended, Optional<String> except) {
    Map<List<Object>, List<Participant>> byName = new LinkedHashMap<>();
    ended.stream()
        .flatMap(session -> session.participants().stream())
        .filter(p -> p.isClient() || except.filter(p.entityId()::equals).isEmpty())
        .forEach(p -> byName.computeIfAbsent(oneTarget(p), k -> new ArrayList<>()).add(p));
    return byName.values().stream().flatMap(known -> target(realm, known).stream()).toList();
  }

  /** A LogoutRequest may contain several SessionIndexes; a client is notified of one sid at a time. */
  private static List<Object> oneTarget(Participant participant) {
    return participant.isClient()
        ? List.of(participant.entityId(), participant.nameId(), participant.sessionIndex())
        : List.of(participant.entityId(), participant.nameId());
  }

  private Optional<Target> target(String realm, List<Participant> known) {
    Participant any = known.getFirst();
    return any.isClient()
        ? clients.reach(realm, any).map(reach -> client(any, reach))
        : Optional.of(serviceProvider(realm, known));
  }

  /** The back channel comes first, because only it can confirm. */
  private static Target client(Participant client, ClientParticipants.Reach reach) {
    Optional<Destination> front = reach.frame().map(page -> new Destination(Binding.REDIRECT, page));
    return new Target(
        client.entityId(),
        reach.name(),
        client.nameId(),
        List.of(client.sessionIndex()),
        new Ways(front, reach.back(), reach.back()));
  }

  private Target serviceProvider(String realm, List<Participant> known) {
    Participant any = known.getFirst();
    return new Target(
        any.entityId(),
        partners.displayName(realm, any.entityId()),
        any.nameId(),
        known.stream().map(Participant::sessionIndex).toList(),
        SloLocations.forRequests(partners.find(realm, any.entityId())));
  }

  private LogoutNotice notice(Target target, RunningLogout logout) {
    return new LogoutNotice(
        target.partner(),
        target.nameId(),
        target.sessionIndexes(),
        logout.person().value(),
        logout.reason(),
        clock.instant(),
        giveUpAt(logout.sessionsEnd()),
        0,
        Optional.empty());
  }

  private LogoutNotice notice(IdpSession session, Participant participant, EndCause cause) {
    return new LogoutNotice(
        participant.entityId(),
        participant.nameId(),
        List.of(participant.sessionIndex()),
        session.person().value(),
        reason(cause),
        clock.instant(),
        giveUpAt(session.lifetime().absoluteEnd()),
        0,
        Optional.empty());
  }

  private static LogoutReason reason(EndCause cause) {
    return switch (cause) {
      case EXPIRED -> LogoutReason.GLOBAL_TIMEOUT;
      case ADMINISTRATOR, PERSON_GONE -> LogoutReason.ADMIN;
      case LOGOUT, PARTNER, ACCOUNT, REPLACED, PASSWORD_CHANGED -> LogoutReason.USER;
    };
  }

  private Instant giveUpAt(Instant sessionEnd) {
    Instant now = clock.instant();
    Instant least = now.plus(LEAST_TRYING);
    Instant most = now.plus(MAX_TRYING);
    return sessionEnd.isBefore(least) ? least : sessionEnd.isAfter(most) ? most : sessionEnd;
  }

  private boolean isReachable(String realm, Participant participant) {
    return participant.isClient()
        ? clients.reach(realm, participant).filter(Reach::back).isPresent()
        : SloLocations.forRequests(partners.find(realm, participant.entityId())).back();
  }

  private void unreachable(IdpSession session, Participant participant) {
    audit.record(
        new AuditEvent.LogoutPropagated(
            new AuditEvent.Context(session.realm(), "-", Optional.empty()),
            participant.entityId(),
            session.person().value(),
            "unreachable"));
  }

  /**
   * The key is the same for every node that ends this session, and reveals nothing about it. A partner that gave the person a name of its
   * own within the session (SAML Core 3.6.1, NewID) takes part under the NameID without that name and under the one with it, by a
   * SessionIndex each.
   */
  private static String key(IdpSession session, Participant participant) {
    NameId name = participant.nameId();
    String text = String.join("\n", session.id().value(), participant.entityId(), name.format(), name.value());
    return "session." + Sha256.base64Url(name.spProvidedId().map(own -> text + "\n" + own).orElse(text));
  }
}
