package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.logout.LogoutReason;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.saml.slo.RunningLogout.Initiator;
import dev.gatehouse.idp.saml.slo.RunningLogout.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * The running logouts. Each participant is notified by the browser or from server to server. If a participant does not
 * answer in the browser and has a back channel, it is notified there in the background.
 */
public final class Logouts {

  /**
   * The time at which the back channel takes over from the browser: after the receipt has shown which participants did
   * not answer.
   */
  private static final Duration TAKE_OVER = RunningLogout.ANSWER_TIMEOUT.plusSeconds(10);

  /**
   * The delay before the back channel notifies the initiating client, so that its browser returns first. A broker that
   * is notified while it logs out itself loses the session in which it waits for that return (seen with Keycloak 26).
   */
  private static final Duration BEHIND_THE_BROWSER = Duration.ofSeconds(3);

  /** If no frame is needed, the browser has no page to show meanwhile. Most answers arrive within milliseconds. */
  private static final Duration BEFORE_THE_PAGE = Duration.ofSeconds(1);

  private final SingleUseStore<RunningLogout> running;
  private final SingleUseStore<LogoutParticipantRef> requests;
  private final ParticipantStatuses outcomes;
  private final ParticipantNotices notices;
  private final AuditLog audit;
  private final InstantSource clock;
  private final RandomGenerator random;

  public Logouts(
      Stores stores,
      ParticipantStatuses outcomes,
      ParticipantNotices notices,
      AuditLog audit,
      InstantSource clock,
      RandomGenerator random) {
    this.running = stores.ends().singleUse("idp-logouts", new JsonCodec<>(RunningLogout.class));
    this.requests = stores.ends().singleUse("idp-logout-requests", new JsonCodec<>(LogoutParticipantRef.class));
    this.outcomes = outcomes;
    this.notices = notices;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
  }

  /** Starts to notify the participants of a session that the person has ended. Empty if there are none. */
  public Optional<String> begin(RealmRequest request, IdpSession ended) {
    return begin(request, List.of(ended));
  }

  /** Like {@link #begin(RealmRequest, IdpSession)}, for several sessions of one person. */
  public Optional<String> begin(RealmRequest request, List<IdpSession> ended) {
    return begin(request, ended, Optional.empty());
  }

  /**
   * Like {@link #begin(RealmRequest, IdpSession)}, for a client to which the browser returns at the end.
   *
   * @param returnTo an address that the client registered for this
   */
  public Optional<String> begin(RealmRequest request, IdpSession ended, String clientId, String returnTo) {
    return begin(request, List.of(ended), Optional.of(Initiator.client(clientId, returnTo)));
  }

  /**
   * Starts to notify the participants of ended sessions, except the initiator itself. One of the sessions was this browser's.
   *
   * @return the path of the receipt page; empty if nobody has to be notified
   */
  Optional<String> begin(RealmRequest request, List<IdpSession> ended, Optional<Initiator> initiator) {
    return begin(request, logout(request, ended, initiator), LogoutId.create(random));
  }

  /**
   * Like {@link #begin(RealmRequest, List, Optional)}, for a message that came without our cookies: the page finds out whether the browser
   * is that of one of the sessions.
   */
  Optional<String> beginWithoutCookies(RealmRequest request, List<IdpSession> ended, Initiator initiator) {
    List<SessionId> latestFirst =
        ended.stream().sorted(Comparator.comparing(IdpSession::createdAt).reversed()).map(IdpSession::id).toList();
    return begin(request, logout(request, ended, Optional.of(initiator)), LogoutId.createFor(latestFirst, random));
  }

  private Optional<String> begin(RealmRequest request, RunningLogout logout, LogoutId created) {
    if (logout.targets().isEmpty()) {
      return Optional.empty();
    }
    String id = created.value();
    running.put(id, logout, clock.instant().plus(RunningLogout.LIFE));
    List<CompletableFuture<LogoutDeliveryResult>> deliveries = start(request, id, logout);
    if (logout.targets().stream().noneMatch(target -> target.framed().isPresent())) {
      SharedDeadline.of(BEFORE_THE_PAGE).await(deliveries);
    }
    return Optional.of(request.here("logout/receipt") + "?id=" + id);
  }

  /**
   * Notifies the participants of ended sessions from server to server, except the initiator. Returns their statuses
   * when all have answered or the time is up. Participants that only a browser could reach are
   * {@link ParticipantStatus#UNREACHABLE}.
   */
  List<ParticipantStatus> notifyParticipants(RealmRequest request, List<IdpSession> ended, Initiator initiator) {
    RunningLogout byServer = logout(request, ended, Optional.of(initiator)).withoutBrowser();
    String id = SessionToken.create(random).value();
    SharedDeadline.of(RunningLogout.ANSWER_TIMEOUT).await(start(request, id, byServer));
    return outcomes(id, byServer);
  }

  /**
   * Leaves to the servers what the browser of the session would have done, because another one came. Returns the current statuses.
   * Participants that only a browser could reach are {@link ParticipantStatus#UNREACHABLE}.
   */
  List<ParticipantStatus> leaveToServers(RealmRequest request, String id, RunningLogout logout) {
    // Once: a second call would send again what is being sent.
    if (outcomes.write(id, ParticipantStatus.UNREACHABLE)) {
      for (int i = 0; i < logout.targets().size(); i++) {
        Target target = logout.targets().get(i);
        String key = ParticipantStatuses.key(id, i);
        boolean isOpen = target.framed().isPresent() && outcomes.find(key).isEmpty();
        if (isOpen && target.ways().back()) {
          notices.hurry(key);
        } else if (isOpen) {
          record(request, logout, target, "unreachable");
        }
      }
    }
    return outcomes(id, logout.withoutBrowser());
  }

  private RunningLogout logout(RealmRequest request, List<IdpSession> ended, Optional<Initiator> initiator) {
    IdpSession first = ended.getFirst();
    return new RunningLogout(
        first.realm(),
        first.person(),
        request.origin().toString(),
        clock.instant(),
        LogoutReason.USER,
        ended.stream().map(session -> session.lifetime().absoluteEnd()).max(Comparator.naturalOrder()).orElseThrow(),
        initiator,
        notices.targets(first.realm(), ended, initiator.flatMap(Initiator::knowsAlready)));
  }

  /**
   * Sends the notices of participants that prefer the back channel, schedules it as a fallback for the others, and
   * records participants that cannot be reached at all.
   */
  private List<CompletableFuture<LogoutDeliveryResult>> start(RealmRequest request, String id, RunningLogout logout) {
    List<CompletableFuture<LogoutDeliveryResult>> deliveries = new ArrayList<>();
    for (int i = 0; i < logout.targets().size(); i++) {
      Target target = logout.targets().get(i);
      String key = ParticipantStatuses.key(id, i);
      if (logout.isInitiator(target)) {
        if (!notices.keep(key, logout.realm(), target, logout, clock.instant().plus(BEHIND_THE_BROWSER))) {
          // Too many notices are waiting: this one is sent once, now, instead of never.
          deliveries.add(notices.tell(key, logout.realm(), target, logout));
        }
      } else if (target.ways().isBackFirst()) {
        deliveries.add(notices.tell(key, logout.realm(), target, logout));
      } else if (target.ways().back()) {
        notices.keep(key, logout.realm(), target, logout, clock.instant().plus(TAKE_OVER));
      } else if (target.ways().isNone()) {
        record(request, logout, target, "unreachable");
      }
    }
    return deliveries;
  }

  /** The logout, whichever browser asks: {@link LogoutId#isFor} says whether that one may see the participants. */
  Optional<RunningLogout> find(RealmRequest request, String id) {
    return running.peek(id).filter(logout -> logout.realm().equals(request.realm().name()));
  }

  /** The current statuses, in the order of the targets. */
  List<ParticipantStatus> outcomes(String id, RunningLogout logout) {
    Instant now = clock.instant();
    List<ParticipantStatus> all = new ArrayList<>();
    for (int i = 0; i < logout.targets().size(); i++) {
      Target target = logout.targets().get(i);
      String key = ParticipantStatuses.key(id, i);
      all.add(
          outcomes
              .find(key)
              .map(known -> known == ParticipantStatus.REQUESTED && logout.isLoading(now) ? ParticipantStatus.WAITING : known)
              .orElseGet(() -> unsettled(key, logout, target, now)));
    }
    return List.copyOf(all);
  }

  private ParticipantStatus unsettled(String key, RunningLogout logout, Target target, Instant now) {
    if (logout.isInitiator(target)) {
      return ParticipantStatus.INITIATOR;
    }
    Optional<LogoutNotice.Problem> problem =
        target.ways().back() ? notices.find(key).flatMap(LogoutNotice::problem) : Optional.empty();
    if (problem.isPresent()) {
      return problem.get().answered() ? ParticipantStatus.FAILED_RETRIED : ParticipantStatus.UNREACHABLE_RETRIED;
    }
    if (target.ways().isNone()) {
      return ParticipantStatus.UNREACHABLE;
    }
    if (!logout.isLate(now)) {
      return ParticipantStatus.WAITING;
    }
    return target.ways().back() ? ParticipantStatus.UNREACHABLE_RETRIED : ParticipantStatus.SILENT;
  }

  /** A frame is loading a client's page. */
  void framed(RealmRequest request, String id, RunningLogout logout, int target) {
    if (outcomes.write(ParticipantStatuses.key(id, target), ParticipantStatus.REQUESTED)) {
      record(request, logout, logout.targets().get(target), "asked");
    }
  }

  /** Stores the recipient of a LogoutRequest, so that its answer is recognized. */
  void asked(String requestId, String id, int target) {
    requests.put(requestId, new LogoutParticipantRef(id, target), clock.instant().plus(RunningLogout.LIFE));
  }

  /** The recipient of a LogoutRequest; looks without taking. */
  Optional<LogoutParticipantRef> ref(String requestId) {
    return requests.peek(requestId);
  }

  /**
   * Handles an answer that the browser brought; a second answer to the same request changes nothing. If the participant
   * failed and has a back channel, it is notified there at once.
   */
  void answered(RealmRequest request, String requestId, RunningLogout logout, LogoutParticipantRef ref, LogoutDeliveryResult result) {
    if (!(requests.take(requestId) instanceof TakeResult.First)) {
      return;
    }
    Target target = logout.targets().get(ref.target());
    String key = ParticipantStatuses.key(ref.logout(), ref.target());
    boolean success = result instanceof LogoutDeliveryResult.Done;
    if (result instanceof LogoutDeliveryResult.Failed && target.ways().back()) {
      notices.hurry(key);
      return;
    }
    if (outcomes.write(key, success ? ParticipantStatus.LOGGED_OUT : ParticipantStatus.FAILED)) {
      notices.withdraw(key);
      record(request, logout, target, success ? "done" : "failed");
    }
  }

  /** Records once in the audit log which participants did not answer. The back channel records its own participants. */
  void close(RealmRequest request, String id, RunningLogout logout, List<ParticipantStatus> known) {
    if (!known.contains(ParticipantStatus.SILENT) || !outcomes.write(id, ParticipantStatus.SILENT)) {
      return;
    }
    for (int i = 0; i < known.size(); i++) {
      if (known.get(i) == ParticipantStatus.SILENT) {
        record(request, logout, logout.targets().get(i), "unreachable");
      }
    }
  }

  private void record(RealmRequest request, RunningLogout logout, Target target, String outcome) {
    audit.record(
        new AuditEvent.LogoutPropagated(request.context(), target.partner(), logout.person().value(), outcome));
  }
}
