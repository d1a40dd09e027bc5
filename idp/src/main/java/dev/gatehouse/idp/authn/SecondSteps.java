package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.endpoint.Refusals;
import dev.gatehouse.idp.session.AuthnDecision;
import dev.gatehouse.idp.session.AuthnDecisions;
import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.EnabledPeople;
import dev.gatehouse.idp.session.IdpSession;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.idp.session.LoginContracts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the person at the second step, and creates the result of passing it: a session after a login's first step, or a
 * stronger session in place of the existing one.
 */
public final class SecondSteps {

  /** The person at the second step. */
  sealed interface Bearer {
    Person person();

    /** What the person has passed before. */
    List<AuthnEvent> passed();

    Optional<PendingSignOn> sought();

    /** The query that identifies the same bearer again; empty or beginning with {@code ?}. */
    String query();

    /** The person has passed a first step; there is no session yet. */
    record AfterFirstStep(String key, PassedFirstFactor step, Person person, Optional<PendingSignOn> sought)
        implements Bearer {
      @Override
      public List<AuthnEvent> passed() {
        return List.of(step.passed());
      }

      @Override
      public String query() {
        return "?step=" + key;
      }
    }

    /** The person has a session that is too weak for the waiting sign-on. */
    record InSession(IdpSession session, PendingSignOn waiting) implements Bearer {
      @Override
      public List<AuthnEvent> passed() {
        return session.passed();
      }

      @Override
      public Person person() {
        return session.snapshot().details();
      }

      @Override
      public Optional<PendingSignOn> sought() {
        return Optional.of(waiting);
      }

      @Override
      public String query() {
        return "?pending=" + waiting.key();
      }
    }
  }

  /** The bearer, or the reply if there is none. */
  sealed interface Found {
    record Here(Bearer bearer) implements Found {}

    record Elsewhere(EdgeReply reply) implements Found {}
  }

  private final IdpSessions sessions;
  private final PassedFirstFactors firstFactors;
  private final LoginSteps steps;
  private final BrowserBinding browsers;
  private final PendingSignOns waiting;
  private final EnabledPeople people;
  private final Refusals refusals;

  public SecondSteps(
      IdpSessions sessions,
      PassedFirstFactors firstFactors,
      LoginSteps steps,
      BrowserBinding browsers,
      PendingSignOns waiting,
      EnabledPeople people,
      Refusals refusals) {
    this.sessions = sessions;
    this.firstFactors = firstFactors;
    this.steps = steps;
    this.browsers = browsers;
    this.waiting = waiting;
    this.people = people;
    this.refusals = refusals;
  }

  Found find(RealmRequest request) {
    if (!LoginContracts.offersSecondStep(request) && !LoginContracts.offersToken(request)) {
      return new Found.Elsewhere(refusals.page(request, 404, "not-found", "SECOND_FACTOR_OFF"));
    }
    Optional<String> step = request.http().queryParameters().one("step");
    return step.isPresent() ? afterFirstStep(request, step.get()) : inSession(request);
  }

  private Found afterFirstStep(RealmRequest request, String key) {
    Optional<PassedFirstFactor> step = firstFactors.find(request, key);
    // The person's current data from the directory: a first step may be ten minutes old.
    Optional<Person> person = step.flatMap(s -> people.find(request, s.person(), s.passed().contract()));
    if (step.isEmpty() || person.isEmpty()) {
      return new Found.Elsewhere(refusals.page(request, 400, "expired", "NO_SUCH_FIRST_STEP"));
    }
    Optional<PendingSignOn> sought = step.get().pending().flatMap(pending -> waiting.find(request, pending, browsers));
    return new Found.Here(new Bearer.AfterFirstStep(key, step.get(), person.get(), sought));
  }

  private Found inSession(RealmRequest request) {
    Optional<PendingSignOn> sought = waiting.sought(request, browsers);
    Optional<IdpSession> session = sessions.current(request).flatMap(s -> sessions.upToDate(request, s));
    if (sought.isPresent()
        && session.isPresent()
        && AuthnDecisions.of(request, sought.get().wanted(), session) instanceof AuthnDecision.StepUp) {
      return new Found.Here(new Bearer.InSession(session.get(), sought.get()));
    }
    // The login page determines what is missing, and reports it if no sign-on waits.
    return new Found.Elsewhere(
        EdgeReply.seeOther(LoginEndpoint.address(request, request.http().queryParameters().one("pending"))));
  }

  /**
   * Opens the new session, under a new token; empty if the first step was already used, or if the session has ended
   * meanwhile.
   */
  Optional<IdpSessions.Opened> passed(RealmRequest request, Bearer bearer, LoginContract contract) {
    return passed(request, bearer, steps.event(request, contract));
  }

  /** Like {@link #passed(RealmRequest, Bearer, LoginContract)}, for a second step that was just passed. */
  Optional<IdpSessions.Opened> passed(RealmRequest request, Bearer bearer, AuthnEvent second) {
    return switch (bearer) {
      case Bearer.AfterFirstStep(String key, PassedFirstFactor step, Person person, var sought) ->
          firstFactors.finish(key)
              ? Optional.of(sessions.open(request, person, List.of(step.passed(), second)))
              : Optional.empty();
      case Bearer.InSession(IdpSession session, var sought) -> sessions.raise(request, session, second);
    };
  }

  /** Returns whether the contract would satisfy what waits; always true after a first step. */
  boolean helps(RealmRequest request, Bearer bearer, LoginContract contract) {
    if (!(bearer instanceof Bearer.InSession(IdpSession session, PendingSignOn sought))) {
      return true;
    }
    List<AuthnEvent> more = new ArrayList<>(session.passed());
    more.add(steps.event(request, contract));
    return AuthnDecisions.of(request, sought.wanted(), more) instanceof AuthnDecision.Satisfied;
  }

  /** The path to which a passed second step leads. */
  String next(RealmRequest request, Bearer bearer) {
    return bearer instanceof Bearer.AfterFirstStep(String key, PassedFirstFactor step, Person person, var sought)
        ? steps.next(request, person, step.passed(), sought)
        : LoginEndpoint.next(request, bearer.sought());
  }

  /** Like {@link #next}, after a step that set something up. */
  String nextWithoutOffer(RealmRequest request, Bearer bearer) {
    return bearer instanceof Bearer.AfterFirstStep(String key, PassedFirstFactor step, Person person, var sought)
        ? steps.nextWithoutOffer(request, person, sought)
        : LoginEndpoint.next(request, bearer.sought());
  }

  /** The reply if {@link #passed} returned no session. */
  EdgeReply gone(RealmRequest request) {
    return refusals.page(request, 400, "expired", "FIRST_STEP_USED");
  }
}
