package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.passkey.PasskeyLogins;
import dev.gatehouse.idp.totp.SecondFactor;

/** What people have that is stronger than a password: an authenticator app, a strong passkey or a token. */
public final class StrongFactors {

  private final SecondFactor secondFactor;
  private final PasskeyLogins passkeys;
  private final PasscodeChecks passcodes;

  public StrongFactors(SecondFactor secondFactor, PasskeyLogins passkeys, PasscodeChecks passcodes) {
    this.secondFactor = secondFactor;
    this.passkeys = passkeys;
    this.passcodes = passcodes;
  }

  /** Returns whether the person has any of them: a thief of the password must then add nothing and change nothing. */
  public boolean hasAny(RealmRequest request, PersonId person) {
    return secondFactor.isSetUp(request.realm().name(), person)
        || !passkeys.strong(request, person).isEmpty()
        || passcodes.hasToken(request.realm(), person);
  }
}
