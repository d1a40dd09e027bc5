package dev.gatehouse.idp.authn;

import dev.gatehouse.idp.endpoint.RealmRequest;
import java.util.EnumSet;
import java.util.Set;

/** The contracts that a realm offers. */
final class LoginContracts {

  private LoginContracts() {}

  /** First steps that a person at a browser can take. */
  static Set<LoginContract> interactive(RealmRequest request) {
    return EnumSet.of(LoginContract.PASSWORD);
  }

  /** Whether a second factor can be asked for. */
  static boolean offersSecondStep(RealmRequest request) {
    return false;
  }

  /** What every login of the realm must reach. */
  static AuthnLevel floor(RealmRequest request) {
    return AuthnLevel.UNSPECIFIED;
  }
}
