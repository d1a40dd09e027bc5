package dev.gatehouse.idp.totp;

import dev.gatehouse.common.directory.PersonId;

/**
 * An authenticator app that is being set up, stored until its first code proves that it works.
 *
 * @param sealedSecret sealed for this enrolment
 * @param browser hash of the browser's value: no other browser can use it
 * @param most the number of apps that the person may have including this one: one, if only a first step was proved; then it is good for
 *     nothing once the person has something stronger
 */
record Enrolment(String realm, PersonId person, byte[] sealedSecret, String browser, int most) {
  @Override
  public String toString() {
    return "Enrolment[" + realm + ", " + person + "]";
  }
}
