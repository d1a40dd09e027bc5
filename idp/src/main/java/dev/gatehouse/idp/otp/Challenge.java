package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.otp.PasscodeResult.Question;

/**
 * A question that somebody was asked, stored until it is answered.
 *
 * @param name as typed
 * @param client which alone may answer
 * @param used counter or time step of the code that came before
 * @param pin digest of a PIN that is to be typed again; empty otherwise
 */
record Challenge(String realm, PersonId person, String name, String client, Question question, String serial, long used, String pin) {

  @Override
  public String toString() {
    return "Challenge[" + realm + ", " + person + ", " + question + "]";
  }
}
