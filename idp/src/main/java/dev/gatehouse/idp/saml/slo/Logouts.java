package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.logout.LogoutDeliveryResult;
import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.logout.LogoutReason;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.TakeResult;
import dev.gatehouse.idp.authn.IdpSession;
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
 * The logouts that are on their way: each participant is told by the browser or from server to server. Who stays silent in
 * the browser and has a back channel is told there, in the background.
 */
public final class Logouts {

  /** When the back channel takes over from the browser: after the receipt has said who did not answer. */
  private static final Duration TAKE_OVER = RunningLogout.PATIENCE.plusSeconds(10);

  /**
   * When the back channel tells the client that asked: behind its browser's return. A broker that is told while it logs out itself
   * loses the session in which it waits for that return (seen with Keycloak 26).
   */
  private static final Duration BEHIND_THE_BROWSER = Duration.ofSeconds(3);

  /** With nobody to be framed there is no page to look at meanwhile: most answers are there within milliseconds. */
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

  /** Starts to tell the participants of a session that the person has ended; empty where there are none. */
  public Optional<String> begin(RealmRequest request, IdpSession ended) {
    return begin(request, List.of(ended));
  }

  /** As {@link #begin(RealmRequest, IdpSession)}, for sessions of one person. */
  public Optional<String> begin(RealmRequest request, List<IdpSession> ended) {
    return begin(request, ended, Optional.empty());
  }

  /**
   * As {@link #begin(RealmRequest, IdpSession)}, for a client that gets its browser back in the end.
   *
   * @param returnTo an address that it registered for this
   */
  public Optional<String> begin(RealmRequest request, IdpSession ended, String clientId, String returnTo) {
    return begin(request, List.of(ended), Optional.of(Initiator.client(clientId, returnTo)));
  }

  /**
   * Starts to tell the participants of sessions that have ended, except the initiator itself.
   *
   * @return the path of the receipt page; empty where nobody is to be told
   */
  Optional<String> begin(RealmRequest request, List<IdpSession> ended, Optional<Initiator> initiator) {
    RunningLogout logout = logout(request, ended, initiator);
    if (logout.targets().isEmpty()) {
      return Optional.empty();
    }
    String id = SessionToken.create(random).value();
    running.put(id, logout, clock.instant().plus(RunningLogout.LIFE));
    List<CompletableFuture<LogoutDeliveryResult>> told = start(request, id, logout);
    if (logout.targets().stream().noneMatch(target -> target.framed().isPresent())) {
      SharedDeadline.of(BEFORE_THE_PAGE).await(told);
    }
    return Optional.of(request.here("logout/receipt") + "?id=" + id);
  }

  /**
   * Tells the participants of sessions that have ended from server to server, except the initiator, and says what each has
   * answered when all have, or the time is up. Those that only a browser could reach are {@link ParticipantStatus#UNREACHABLE}.
   */
  List<ParticipantStatus> tellAll(RealmRequest request, List<IdpSession> ended, Initiator initiator) {
    RunningLogout logout = logout(request, ended, Optional.of(initiator));
    RunningLogout byServer =
        new RunningLogout(
            logout.realm(), logout.person(), logout.origin(), logout.startedAt(), logout.reason(),
            logout.sessionsEnd(), logout.initiator(), logout.targets().stream().map(Logouts::withoutBrowser).toList());
    String id = SessionToken.create(random).value();
    SharedDeadline.of(RunningLogout.PATIENCE).await(start(request, id, byServer));
    return outcomes(id, byServer);
  }

  private static Target withoutBrowser(Target target) {
    return new Target(
        target.partner(), target.name(), target.nameId(), target.sessionIndexes(), target.ways().withoutBrowser());
  }

  private RunningLogout logout(RealmRequest request, List<IdpSession> ended, Optional<Initiator> initiator) {
    IdpSession first = ended.getFirst();
    return new RunningLogout(
        first.realm(),
        first.person(),
        request.origin().toString(),
        clock.instant(),
        LogoutReason.USER,
        ended.stream().map(IdpSession::absoluteEnd).max(Comparator.naturalOrder()).orElseThrow(),
        initiator,
        notices.targets(first.realm(), ended, initiator.flatMap(Initiator::knowsAlready)));
  }

  /** Sends to those of the back channel, and has it stand by for the others; those that have none are reported. */
  private List<CompletableFuture<LogoutDeliveryResult>> start(RealmRequest request, String id, RunningLogout logout) {
    List<CompletableFuture<LogoutDeliveryResult>> told = new ArrayList<>();
    for (int i = 0; i < logout.targets().size(); i++) {
      Target target = logout.targets().get(i);
      String key = ParticipantStatuses.key(id, i);
      if (logout.isAsker(target)) {
        if (!notices.keep(key, logout.realm(), target, logout, clock.instant().plus(BEHIND_THE_BROWSER))) {
          // Too many wait already: told once, now, rather than never.
          told.add(notices.tell(key, logout.realm(), target, logout));
        }
      } else if (target.ways().isBackFirst()) {
        told.add(notices.tell(key, logout.realm(), target, logout));
      } else if (target.ways().back()) {
        notices.keep(key, logout.realm(), target, logout, clock.instant().plus(TAKE_OVER));
      } else if (target.ways().isNone()) {
        record(request, logout, target, "unreachable");
      }
    }
    return told;
  }

  Optional<RunningLogout> find(RealmRequest request, String id) {
    return running.peek(id).filter(logout -> logout.realm().equals(request.realm().name()));
  }

  /** What is known now, in the order of the targets. */
  List<ParticipantStatus> outcomes(String id, RunningLogout logout) {
    Instant now = clock.instant();
    List<ParticipantStatus> all = new ArrayList<>();
    for (int i = 0; i < logout.targets().size(); i++) {
      Target target = logout.targets().get(i);
      String key = ParticipantStatuses.key(id, i);
      all.add(
          outcomes
              .find(key)
              .map(known -> known == ParticipantStatus.ASKED && logout.isLoading(now) ? ParticipantStatus.WAITING : known)
              .orElseGet(() -> unsettled(key, logout, target, now)));
    }
    return List.copyOf(all);
  }

  private ParticipantStatus unsettled(String key, RunningLogout logout, Target target, Instant now) {
    if (logout.isAsker(target)) {
      return ParticipantStatus.ASKER;
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

  /** A frame is on its way to a client's page. */
  void framed(RealmRequest request, String id, RunningLogout logout, int target) {
    if (outcomes.write(ParticipantStatuses.key(id, target), ParticipantStatus.ASKED)) {
      record(request, logout, logout.targets().get(target), "asked");
    }
  }

  /** Remembers whom a LogoutRequest goes to, so that its answer is recognized. */
  void asked(String requestId, String id, int target) {
    requests.put(requestId, new LogoutParticipantRef(id, target), clock.instant().plus(RunningLogout.LIFE));
  }

  /** Whom a LogoutRequest went to; looks without taking. */
  Optional<LogoutParticipantRef> ref(String requestId) {
    return requests.peek(requestId);
  }

  /**
   * Takes an answer that the browser brought; a second one to the same request changes nothing. Who could not, and has a back
   * channel, is asked there at once.
   */
  void answered(RealmRequest request, String requestId, RunningLogout logout, LogoutParticipantRef ref, LogoutDeliveryResult told) {
    if (!(requests.take(requestId) instanceof TakeResult.First)) {
      return;
    }
    Target target = logout.targets().get(ref.target());
    String key = ParticipantStatuses.key(ref.logout(), ref.target());
    boolean success = told instanceof LogoutDeliveryResult.Done;
    if (told instanceof LogoutDeliveryResult.Failed && target.ways().back()) {
      notices.hurry(key);
      return;
    }
    if (outcomes.write(key, success ? ParticipantStatus.TOLD : ParticipantStatus.FAILED)) {
      notices.withdraw(key);
      record(request, logout, target, success ? "done" : "failed");
    }
  }

  /** Writes into the audit log, once, who did not answer; of those that the back channel tells, that log knows already. */
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
