package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.totp.SecondFactor;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * What follows a first step, whichever contract it was: a session, or first a second step. The one place that makes sessions
 * of first steps, so that no contract leads around the second.
 */
public final class LoginSteps {

  private final IdpSessions sessions;
  private final PassedFirstFactors firstSteps;
  private final SecondFactor secondFactor;
  private final KnownDevices devices;
  private final InstantSource clock;

  public LoginSteps(
      IdpSessions sessions,
      PassedFirstFactors firstSteps,
      SecondFactor secondFactor,
      KnownDevices devices,
      InstantSource clock) {
    this.sessions = sessions;
    this.firstSteps = firstSteps;
    this.secondFactor = secondFactor;
    this.devices = devices;
    this.clock = clock;
  }

  /** The person has just passed the contract in this browser. */
  EdgeReply passed(
      RealmRequest request,
      Person person,
      LoginContract contract,
      SessionToken browser,
      Optional<PendingSignOn> sought) {
    return passed(request, person, Optional.empty(), contract, browser, sought);
  }

  /** As the other one. @param proved the name, as typed, that a password was verified for in this request */
  EdgeReply passed(
      RealmRequest request,
      Person person,
      Optional<String> proved,
      LoginContract contract,
      SessionToken browser,
      Optional<PendingSignOn> sought) {
    AuthnEvent event = event(request, contract);
    if (needsSecondStep(request, person, event)
        || AuthnDecisions.of(request, wanted(sought), List.of(event)) instanceof AuthnDecision.StepUp) {
      String key = firstSteps.begin(request, person, event, browser, sought.map(PendingSignOn::key));
      EdgeReply next = EdgeReply.seeOther(SecondStepEndpoint.address(request) + "?step=" + key);
      return devices.firstStepPassed(request, person, proved).map(cookie -> next.with("Set-Cookie", cookie)).orElse(next);
    }
    return sessions
        .open(request, person, proved, List.of(event))
        .on(EdgeReply.seeOther(LoginEndpoint.next(request, sought)));
  }

  /**
   * What a login without a browser earns, where it is enough by itself; empty where a second step would have to follow, or
   * the client asks for more.
   *
   * @param least the client's least contract
   */
  public Optional<AuthnDecision.Satisfied> alone(
      RealmRequest request, Person person, LoginContract contract, Optional<LoginContract> least) {
    AuthnEvent event = event(request, contract);
    if (needsSecondStep(request, person, event)) {
      return Optional.empty();
    }
    AuthnWanted wanted = new AuthnWanted(Optional.empty(), least, Optional.empty());
    return AuthnDecisions.of(request, wanted, List.of(event)) instanceof AuthnDecision.Satisfied satisfied
        ? Optional.of(satisfied)
        : Optional.empty();
  }

  /**
   * Whether the person gets no session by this alone, whatever is waiting: a password, where the realm requires a second
   * factor, the person has set one up, or may have had one that was lost.
   */
  boolean needsSecondStep(RealmRequest request, Person person, AuthnEvent event) {
    return LoginContracts.offersSecondStep(request)
        && !event.level().reaches(AuthnLevel.CERTIFICATE)
        && (!event.level().reaches(LoginContracts.floor(request))
            || secondFactor.isSetUp(request.realm().name(), person.id())
            || secondFactor.needsConfirmation(request.realm().name(), person.id()));
  }

  /** That it was passed now, here. */
  AuthnEvent event(RealmRequest request, LoginContract contract) {
    return new AuthnEvent(clock.instant(), contract, AuthnContexts.level(contract, request.origin()));
  }

  static AuthnWanted wanted(Optional<PendingSignOn> sought) {
    return sought.map(PendingSignOn::wanted).orElse(AuthnWanted.anything());
  }
}
