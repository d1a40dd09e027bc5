package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.PersonId;

/**
 * A software token that is being set up, stored until a first code proves that the app has it.
 *
 * @param sealedSeed sealed for this enrolment
 * @param browser hash of the browser's value: no other browser can use it
 * @param further whether a token, or another second factor, was proved when it began; otherwise it is good for the person's first token only
 */
record TokenEnrolment(String realm, PersonId person, byte[] sealedSeed, String browser, boolean further) {
  @Override
  public String toString() {
    return "TokenEnrolment[" + realm + ", " + person + "]";
  }
}
