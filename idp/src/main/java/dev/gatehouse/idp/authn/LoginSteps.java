package dev.gatehouse.idp.authn;

import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.session.SessionToken;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.otp.StrongFactors;
import dev.gatehouse.idp.passkey.PasskeyOffers;
import dev.gatehouse.idp.session.AuthnContexts;
import dev.gatehouse.idp.session.AuthnDecision;
import dev.gatehouse.idp.session.AuthnDecisions;
import dev.gatehouse.idp.session.AuthnEvent;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.session.AuthnWanted;
import dev.gatehouse.idp.session.IdpSessions;
import dev.gatehouse.idp.session.KnownDevices;
import dev.gatehouse.idp.session.LoginContract;
import dev.gatehouse.idp.session.LoginContracts;
import dev.gatehouse.idp.totp.SecondFactor;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Continues after a first step, whatever its contract: with a session, or with a second step. Only this class opens
 * sessions after a first step, so that no contract can bypass the second one.
 */
public final class LoginSteps {

  private final IdpSessions sessions;
  private final PassedFirstFactors firstFactors;
  private final SecondFactor secondFactor;
  private final StrongFactors factors;
  private final PasskeyOffers offers;
  private final KnownDevices devices;
  private final InstantSource clock;

  public LoginSteps(
      IdpSessions sessions,
      PassedFirstFactors firstFactors,
      SecondFactor secondFactor,
      StrongFactors factors,
      PasskeyOffers offers,
      KnownDevices devices,
      InstantSource clock) {
    this.sessions = sessions;
    this.firstFactors = firstFactors;
    this.secondFactor = secondFactor;
    this.factors = factors;
    this.offers = offers;
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

  /**
   * Like {@link #passed(RealmRequest, Person, LoginContract, SessionToken, Optional)}.
   *
   * @param proved the name, as typed, for which a password was verified in this request
   */
  EdgeReply passed(
      RealmRequest request,
      Person person,
      Optional<String> proved,
      LoginContract contract,
      SessionToken browser,
      Optional<PendingSignOn> sought) {
    return passed(request, person, proved, event(request, contract), browser, sought);
  }

  /** Like the other two, for an event whose level depends on more than its contract. */
  EdgeReply passed(
      RealmRequest request,
      Person person,
      Optional<String> proved,
      AuthnEvent event,
      SessionToken browser,
      Optional<PendingSignOn> sought) {
    if (needsSecondStep(request, person, event)
        || AuthnDecisions.of(request, wanted(sought), List.of(event)) instanceof AuthnDecision.StepUp) {
      String key = firstFactors.begin(request, person, event, browser, sought.map(PendingSignOn::key));
      EdgeReply next = EdgeReply.seeOther(SecondStepEndpoint.address(request) + "?step=" + key);
      return devices.firstFactorPassed(request, person, proved).map(cookie -> next.with("Set-Cookie", cookie)).orElse(next);
    }
    return sessions
        .open(request, person, proved, List.of(event))
        .to(next(request, person, event, sought));
  }

  /**
   * Returns where a completed login leads, by way of the notice of passkeys and of the offer of one if they are due.
   *
   * @param first the first step
   */
  String next(RealmRequest request, Person person, AuthnEvent first, Optional<PendingSignOn> sought) {
    return offers.before(
        request, person.id(), first.contract(), sought.map(PendingSignOn::key), LoginEndpoint.next(request, sought));
  }

  /** Like {@link #next}, for a login on whose way something was set up already: nothing more is offered. */
  String nextWithoutOffer(RealmRequest request, Person person, Optional<PendingSignOn> sought) {
    return offers.afterNotice(request, person.id(), sought.map(PendingSignOn::key), LoginEndpoint.next(request, sought));
  }

  /**
   * Returns the result of a login without a browser, if it is sufficient by itself; empty if a second step would have
   * to follow, or if the client demands more.
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
   * Returns whether the person gets no session by this step alone, whatever sign-on is waiting: a password is not
   * sufficient if the realm requires a second factor, if the person has set one up, or if the person may have had one
   * that was lost.
   */
  boolean needsSecondStep(RealmRequest request, Person person, AuthnEvent event) {
    return LoginContracts.offersSecondStep(request)
        && !event.level().reaches(AuthnLevel.CERTIFICATE)
        && (!event.level().reaches(LoginContracts.floor(request))
            || factors.hasAny(request, person.id())
            || secondFactor.needsConfirmation(request.realm().name(), person.id()));
  }

  /** The event that the contract was passed now, at this origin. */
  AuthnEvent event(RealmRequest request, LoginContract contract) {
    return new AuthnEvent(clock.instant(), contract, AuthnContexts.level(contract, request.origin()));
  }

  static AuthnWanted wanted(Optional<PendingSignOn> sought) {
    return sought.map(PendingSignOn::wanted).orElse(AuthnWanted.anything());
  }
}
