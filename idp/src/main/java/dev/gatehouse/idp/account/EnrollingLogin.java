package dev.gatehouse.idp.account;

import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.idp.authn.AuthenticatedPerson;
import dev.gatehouse.idp.authn.RecentLogin;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.otp.StrongFactors;
import dev.gatehouse.idp.passkey.PasskeyCeremony;
import dev.gatehouse.idp.passkey.PasskeyCeremony.Purpose;
import dev.gatehouse.idp.session.AuthnLevel;
import dev.gatehouse.idp.totp.SecondFactor;
import java.util.Comparator;
import java.util.Optional;

/** The login by which a person may change passkeys: a recent one, with everything that the person has. */
public final class EnrollingLogin {

  private final RecentLogin recentLogin;
  private final SecondFactor secondFactor;
  private final StrongFactors factors;

  public EnrollingLogin(RecentLogin recentLogin, SecondFactor secondFactor, StrongFactors factors) {
    this.recentLogin = recentLogin;
    this.secondFactor = secondFactor;
    this.factors = factors;
  }

  /** The level of the recent login; empty if it is not the highest that the person can reach. */
  Optional<AuthnLevel> level(RealmRequest request, AuthenticatedPerson me) {
    return recentLogin.recentLevels(me.session()).stream()
        .max(Comparator.naturalOrder())
        .filter(level -> recentLogin.isRecent(me.session()))
        .filter(level -> !isStrong(request, me) || level.reaches(AuthnLevel.SECOND_FACTOR));
  }

  /** Returns whether the person has something stronger than a password. */
  boolean isStrong(RealmRequest request, AuthenticatedPerson me) {
    return factors.hasAny(request, me.session().person());
  }

  /** Returns whether the last strong passkey stays until there is another second factor, because one is required. */
  boolean keepsOne(RealmRequest request, AuthenticatedPerson me) {
    return request.idp().contracts().secondFactor() == ContractsConfig.SecondFactor.REQUIRED
        && !secondFactor.isSetUp(request.realm().name(), me.session().person());
  }

  static PasskeyCeremony confirmation(AuthenticatedPerson me, String passkey) {
    return new PasskeyCeremony(Purpose.CONFIRMATION, me.browser(), me.session().person().value() + "\n" + passkey);
  }

  static PasskeyCeremony ceremony(AuthenticatedPerson me) {
    return new PasskeyCeremony(Purpose.ENROLMENT, me.browser(), me.session().person().value());
  }
}
