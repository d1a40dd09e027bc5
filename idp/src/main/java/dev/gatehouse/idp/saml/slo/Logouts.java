package dev.gatehouse.idp.saml.slo;

import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.SingleUseStore;
import dev.gatehouse.common.store.Stores;
import dev.gatehouse.common.store.Take;
import dev.gatehouse.idp.authn.IdpSession;
import dev.gatehouse.idp.authn.IdpSession.Participant;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.saml.SpPartners;
import dev.gatehouse.idp.saml.slo.RunningLogout.Initiator;
import dev.gatehouse.idp.saml.slo.RunningLogout.Target;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The logouts that are on their way. Each answer is a value of its own that is written once, so that parallel answers need no
 * lock and any node may take them.
 */
public final class Logouts {

  private static final Duration LIFE = Duration.ofMinutes(10);

  private final SingleUseStore<RunningLogout> running;
  private final SingleUseStore<LogoutRef> requests;
  private final SingleUseStore<Outcome> outcomes;
  private final SpPartners partners;
  private final AuditLog audit;
  private final InstantSource clock;
  private final RandomGenerator random;

  public Logouts(
      Stores stores, SpPartners partners, AuditLog audit, InstantSource clock, RandomGenerator random) {
    this.running = stores.singleUse("idp-logouts", new JsonCodec<>(RunningLogout.class));
    this.requests = stores.singleUse("idp-logout-requests", new JsonCodec<>(LogoutRef.class));
    this.outcomes = stores.singleUse("idp-logout-outcomes", new JsonCodec<>(Outcome.class));
    this.partners = partners;
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
   * Starts to tell the participants of sessions that have ended, except the initiator itself.
   *
   * @return the path of the receipt page; empty where nobody is to be told
   */
  Optional<String> begin(RealmRequest request, List<IdpSession> ended, Optional<Initiator> initiator) {
    List<Target> targets = targets(request.realm().name(), ended, initiator);
    if (targets.isEmpty()) {
      return Optional.empty();
    }
    String id = SessionToken.create(random).value();
    IdpSession first = ended.getFirst();
    RunningLogout logout =
        new RunningLogout(
            first.realm(), first.person(), request.origin().toString(), clock.instant(), initiator, targets);
    running.put(id, logout, clock.instant().plus(LIFE));
    for (Target target : targets) {
      if (target.destination().isEmpty()) {
        record(request, logout, target, "unreachable");
      }
    }
    return Optional.of(request.here("logout/receipt") + "?id=" + id);
  }

  Optional<RunningLogout> find(RealmRequest request, String id) {
    return running.peek(id).filter(logout -> logout.realm().equals(request.realm().name()));
  }

  /** What is known now, in the order of the targets. */
  List<Outcome> outcomes(String id, RunningLogout logout) {
    Instant now = clock.instant();
    List<Outcome> all = new ArrayList<>();
    for (int i = 0; i < logout.targets().size(); i++) {
      Outcome unanswered =
          logout.targets().get(i).destination().isEmpty()
              ? Outcome.UNREACHABLE
              : logout.isLate(now) ? Outcome.SILENT : Outcome.WAITING;
      all.add(outcomes.peek(key(id, i)).orElse(unanswered));
    }
    return List.copyOf(all);
  }

  /** Remembers whom a LogoutRequest goes to, so that its answer is recognized. */
  void asked(String requestId, String id, int target) {
    requests.put(requestId, new LogoutRef(id, target), clock.instant().plus(LIFE));
  }

  /** Whom a LogoutRequest went to; looks without taking. */
  Optional<LogoutRef> ref(String requestId) {
    return requests.peek(requestId);
  }

  /** Takes an answer; a second one to the same request changes nothing. */
  void answered(RealmRequest request, String requestId, RunningLogout logout, LogoutRef ref, boolean success) {
    if (!(requests.take(requestId) instanceof Take.First)) {
      return;
    }
    try {
      outcomes.put(key(ref.logout(), ref.target()), success ? Outcome.TOLD : Outcome.FAILED, clock.instant().plus(LIFE));
    } catch (IllegalStateException e) {
      // Asked twice (the page was reloaded) and answered twice: the first answer stands.
      return;
    }
    record(request, logout, logout.targets().get(ref.target()), success ? "done" : "failed");
  }

  /** Writes into the audit log, once, who did not answer. */
  void close(RealmRequest request, String id, RunningLogout logout, List<Outcome> known) {
    if (!known.contains(Outcome.SILENT) || outcomes.peek(id).isPresent()) {
      return;
    }
    try {
      outcomes.put(id, Outcome.SILENT, clock.instant().plus(LIFE));
    } catch (IllegalStateException e) {
      return;
    }
    for (int i = 0; i < known.size(); i++) {
      if (known.get(i) == Outcome.SILENT) {
        record(request, logout, logout.targets().get(i), "unreachable");
      }
    }
  }

  private List<Target> targets(String realm, List<IdpSession> ended, Optional<Initiator> initiator) {
    Map<List<Object>, List<Participant>> byName = new LinkedHashMap<>();
    ended.stream()
        .flatMap(session -> session.participants().stream())
        .filter(p -> initiator.filter(i -> i.partner().equals(p.entityId())).isEmpty())
        .forEach(p -> byName.computeIfAbsent(List.of(p.entityId(), p.nameId()), k -> new ArrayList<>()).add(p));
    return byName.values().stream().map(known -> target(realm, known)).toList();
  }

  private Target target(String realm, List<Participant> known) {
    Participant any = known.getFirst();
    return new Target(
        any.entityId(),
        partners.displayName(realm, any.entityId()),
        any.nameId(),
        known.stream().map(Participant::sessionIndex).toList(),
        SloLocations.forRequests(partners.find(realm, any.entityId())));
  }

  private void record(RealmRequest request, RunningLogout logout, Target target, String outcome) {
    audit.record(
        new AuditEvent.LogoutPropagated(request.context(), target.partner(), logout.person().value(), outcome));
  }

  private static String key(String id, int target) {
    return id + "." + target;
  }
}
