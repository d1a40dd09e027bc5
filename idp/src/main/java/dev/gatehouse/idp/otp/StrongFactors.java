package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.endpoint.RealmRequest;
import dev.gatehouse.idp.passkey.PasskeyLogins;
import dev.gatehouse.idp.totp.HeldFactors;
import dev.gatehouse.idp.totp.SecondFactor;

/** An authenticator app, a strong passkey or a token. */
public final class StrongFactors implements HeldFactors {

  private final SecondFactor secondFactor;
  private final PasskeyLogins passkeys;
  private final PasscodeChecks passcodes;

  public StrongFactors(SecondFactor secondFactor, PasskeyLogins passkeys, PasscodeChecks passcodes) {
    this.secondFactor = secondFactor;
    this.passkeys = passkeys;
    this.passcodes = passcodes;
  }

  @Override
  public boolean hasAny(RealmRequest request, PersonId person) {
    return secondFactor.isSetUp(request.realm().name(), person)
        || !passkeys.strong(request, person).isEmpty()
        || passcodes.hasToken(request.realm(), person);
  }
}
