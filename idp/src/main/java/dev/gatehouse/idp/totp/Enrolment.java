package dev.gatehouse.idp.totp;

import dev.gatehouse.common.directory.PersonId;

/**
 * An authenticator app that is being set up; kept until its first code proves that it works.
 *
 * @param sealedSecret sealed for this enrolment
 * @param browser hash of the browser's value: another browser has no part in it
 * @param most apps that the person may have with it: one, where nothing but a first step was proved
 */
record Enrolment(String realm, PersonId person, byte[] sealedSecret, String browser, int most) {
  @Override
  public String toString() {
    return "Enrolment[" + realm + ", " + person + "]";
  }
}
