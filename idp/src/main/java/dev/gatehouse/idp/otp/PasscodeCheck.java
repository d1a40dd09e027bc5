package dev.gatehouse.idp.otp;

/** Decides about passcodes: a person's PIN and token code in one field. One check serves a realm, whichever way a passcode came in. */
public interface PasscodeCheck {

  /**
   * Decides about the first thing that a person typed.
   *
   * @throws PasscodeStoreUnavailable if the stores cannot be asked or this node is too busy: nothing was decided, and nobody may be let in
   */
  PasscodeResult check(PasscodeAttempt attempt);

  /**
   * Decides about the answer to a challenge. A challenge is answered once, by the way in and client that it was given to.
   *
   * @param reference what {@link PasscodeResult.Challenged} carried; unknown, ended and another client's references are refused
   * @throws PasscodeStoreUnavailable if the stores cannot be asked or this node is too busy: the login begins anew
   */
  PasscodeResult answer(String reference, PasscodeAttempt attempt);
}
