package dev.gatehouse.idp.session;

import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.EnumSet;
import java.util.Set;

/** The contracts that a realm offers, by its configuration. */
public final class LoginContracts {

  private LoginContracts() {}

  /** The first steps that are possible for a person at a browser. */
  public static Set<LoginContract> interactive(RealmRequest request) {
    ContractsConfig contracts = request.idp().contracts();
    EnumSet<LoginContract> offered = EnumSet.of(LoginContract.PASSWORD);
    if (contracts.basic()) {
      offered.add(LoginContract.BASIC);
    }
    if (contracts.certificate().isPresent()) {
      offered.add(LoginContract.CERTIFICATE);
    }
    if (contracts.passkeys().isPresent()) {
      offered.add(LoginContract.PASSKEY);
    }
    if (offersToken(request)) {
      offered.add(LoginContract.TOKEN);
    }
    return offered;
  }

  /** Returns whether a second factor can be asked for. */
  public static boolean offersSecondStep(RealmRequest request) {
    return request.idp().contracts().secondFactor() != SecondFactor.OFF;
  }

  /** Returns whether people may log in by a token. */
  public static boolean offersToken(RealmRequest request) {
    return request.idp().contracts().token().isPresent();
  }

  /** The level that every login of the realm must reach: if second factors are required, a password alone does not. */
  public static AuthnLevel floor(RealmRequest request) {
    return request.idp().contracts().secondFactor() == SecondFactor.REQUIRED
        ? AuthnLevel.CERTIFICATE
        : AuthnLevel.UNSPECIFIED;
  }
}
