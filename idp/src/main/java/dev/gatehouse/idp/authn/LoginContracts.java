package dev.gatehouse.idp.authn;

import dev.gatehouse.common.realm.ContractsConfig;
import dev.gatehouse.common.realm.ContractsConfig.SecondFactor;
import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.EnumSet;
import java.util.Set;

/** The contracts that a realm offers, by its configuration. */
final class LoginContracts {

  private LoginContracts() {}

  /** First steps that a person at a browser can take. */
  static Set<LoginContract> interactive(RealmRequest request) {
    ContractsConfig contracts = request.idp().contracts();
    EnumSet<LoginContract> offered = EnumSet.of(LoginContract.PASSWORD);
    if (contracts.basic()) {
      offered.add(LoginContract.BASIC);
    }
    if (contracts.certificate().isPresent()) {
      offered.add(LoginContract.CERTIFICATE);
    }
    return offered;
  }

  /** Whether a second factor can be asked for. */
  static boolean offersSecondStep(RealmRequest request) {
    return request.idp().contracts().secondFactor() != SecondFactor.OFF;
  }

  /** What every login of the realm must reach: where second factors are required, a password alone does not. */
  static AuthnLevel floor(RealmRequest request) {
    return request.idp().contracts().secondFactor() == SecondFactor.REQUIRED
        ? AuthnLevel.CERTIFICATE
        : AuthnLevel.UNSPECIFIED;
  }
}
