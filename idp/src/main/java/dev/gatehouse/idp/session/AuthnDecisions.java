package dev.gatehouse.idp.session;

import dev.gatehouse.idp.endpoint.RealmRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a login satisfies a sign-on. It compares the RequestedAuthnContext (SAML Core 3.3.2.2.1), the
 * partner's least contract and ForceAuthn with the contracts that a person passed and those that the realm offers.
 */
public final class AuthnDecisions {

  private AuthnDecisions() {}

  /** Decides for the session of the browser, if it has one. */
  public static AuthnDecision of(RealmRequest request, AuthnWanted wanted, Optional<IdpSession> session) {
    return of(
        request, wanted, session.map(IdpSession::passed).orElse(List.of()), session.map(IdpSession::createdAt).orElse(Instant.MAX));
  }

  /** Returns whether the session meets the realm's requirements for every login. */
  static boolean reachesFloor(RealmRequest request, IdpSession session) {
    return classRef(request, AuthnWanted.anything(), session.passed()).isPresent();
  }

  /** Decides for the steps of one login. */
  public static AuthnDecision of(RealmRequest request, AuthnWanted wanted, List<AuthnEvent> passed) {
    return of(request, wanted, passed, Instant.MAX);
  }

  /** @param opened when the login was complete; what was passed later has raised its session */
  private static AuthnDecision of(RealmRequest request, AuthnWanted wanted, List<AuthnEvent> passed, Instant opened) {
    List<AuthnEvent> counting = passed.stream().filter(event -> counts(event, wanted)).toList();
    Optional<AuthnDecision> satisfied = classRef(request, wanted, counting).map(ref -> satisfied(ref, counting, opened));
    if (satisfied.isPresent()) {
      return satisfied.get();
    }
    if (isReachedWithSecondStep(request, wanted, counting)) {
      return new AuthnDecision.StepUp();
    }
    Set<LoginContract> contracts = EnumSet.noneOf(LoginContract.class);
    for (LoginContract contract : LoginContracts.interactive(request)) {
      List<AuthnEvent> fresh = List.of(event(request, contract));
      if (!counts(fresh.getFirst(), wanted)) {
        continue;
      }
      if (classRef(request, wanted, fresh).isPresent() || isReachedWithSecondStep(request, wanted, fresh)) {
        contracts.add(contract);
      }
    }
    return contracts.isEmpty() ? new AuthnDecision.Never() : new AuthnDecision.Login(contracts);
  }

  /** With ForceAuthn, only later logins count, and not one with credentials that a browser repeats by itself. */
  private static boolean counts(AuthnEvent event, AuthnWanted wanted) {
    return wanted
        .notBefore()
        .map(since -> !event.at().isBefore(since) && event.contract() != LoginContract.BASIC)
        .orElse(true);
  }

  private static boolean isReachedWithSecondStep(RealmRequest request, AuthnWanted wanted, List<AuthnEvent> passed) {
    boolean bySecondFactor =
        LoginContracts.offersSecondStep(request)
            && (isReachedWith(request, wanted, passed, LoginContract.TOTP)
                || request.idp().contracts().passkeys().isPresent() && isReachedWith(request, wanted, passed, LoginContract.PASSKEY));
    return bySecondFactor || LoginContracts.offersToken(request) && isReachedWith(request, wanted, passed, LoginContract.TOKEN);
  }

  /** Returns whether a login by this contract satisfies it, alone or with the code of an app. */
  public static boolean isReachedBy(RealmRequest request, AuthnWanted wanted, LoginContract first) {
    List<AuthnEvent> fresh = List.of(event(request, first));
    return classRef(request, wanted, fresh).isPresent()
        || LoginContracts.offersSecondStep(request) && isReachedWith(request, wanted, fresh, LoginContract.TOTP);
  }

  /** Returns whether these logins satisfy it together with one more by this contract. */
  public static boolean isReachedWith(RealmRequest request, AuthnWanted wanted, List<AuthnEvent> passed, LoginContract next) {
    List<AuthnEvent> more = new ArrayList<>(passed);
    more.add(event(request, next));
    return !passed.isEmpty() && classRef(request, wanted, more.stream().filter(event -> counts(event, wanted)).toList()).isPresent();
  }

  /** An event as if the contract were passed now; the decision does not depend on its time. */
  private static AuthnEvent event(RealmRequest request, LoginContract contract) {
    return new AuthnEvent(Instant.MAX, contract, AuthnContexts.level(contract, request.origin()));
  }

  private static Optional<String> classRef(RealmRequest request, AuthnWanted wanted, List<AuthnEvent> passed) {
    Set<AuthnLevel> earned = AuthnContexts.earned(passed);
    AuthnLevel least = wanted.least().map(LoginContract::least).orElse(AuthnLevel.UNSPECIFIED);
    if (earned.stream().noneMatch(level -> level.reaches(least) && level.reaches(LoginContracts.floor(request)))) {
      return Optional.empty();
    }
    return wanted.requested().isPresent()
        ? AuthnContexts.answer(earned, wanted.requested().get())
        : AuthnContexts.strongest(earned);
  }

  private static boolean earns(AuthnEvent event, String classRef) {
    return event.level().classRefs().contains(classRef)
        || event.level() == AuthnLevel.TOKEN && AuthnLevel.SECOND_FACTOR.classRefs().contains(classRef);
  }

  /** The asserted time is that of the latest login that achieved the asserted level. */
  private static AuthnDecision satisfied(String classRef, List<AuthnEvent> passed, Instant opened) {
    AuthnEvent latest =
        passed.stream()
            .filter(event -> classRef.equals(AuthnContexts.UNSPECIFIED) || earns(event, classRef))
            .max(Comparator.comparing(AuthnEvent::at))
            .orElseThrow();
    return new AuthnDecision.Satisfied(classRef, latest.at(), authentication(latest, passed, opened));
  }

  /**
   * The contracts of the authentication at the asserted time (OpenID Connect Core 2: {@code auth_time} and {@code amr} are of the same
   * one): all steps of the login if it is one of them, otherwise the step that raised the session. A second step achieves a level only
   * together with a first one, so that the latest first one belongs to it.
   */
  private static List<AuthnEvent> authentication(AuthnEvent latest, List<AuthnEvent> passed, Instant opened) {
    boolean isOfLogin = !latest.at().isAfter(opened);
    List<AuthnEvent> same =
        passed.stream().filter(event -> isOfLogin ? !event.at().isAfter(opened) : event.equals(latest)).toList();
    if (!same.stream().allMatch(event -> event.contract().isSecondStep())) {
      return same;
    }
    Optional<AuthnEvent> first =
        passed.stream().filter(event -> !event.contract().isSecondStep()).max(Comparator.comparing(AuthnEvent::at));
    return passed.stream().filter(event -> same.contains(event) || first.filter(event::equals).isPresent()).toList();
  }
}
