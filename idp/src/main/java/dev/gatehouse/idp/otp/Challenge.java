package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.idp.otp.PasscodeResult.Question;

/**
 * A question that somebody was asked, stored until it is answered.
 *
 * @param name as typed
 * @param client which alone may answer
 * @param serial of the token whose code came before; empty if an emergency password or code stood in for one
 * @param used counter or time step of the code that came before
 * @param pin what a token is to answer; where a new PIN is asked for, digest of the PINs as they were and of what was typed: those that
 *     were changed meanwhile stay
 */
record Challenge(String realm, PersonId person, String name, String client, Question question, String serial, long used, String pin) {

  @Override
  public String toString() {
    return "Challenge[" + realm + ", " + person + ", " + question + "]";
  }
}
