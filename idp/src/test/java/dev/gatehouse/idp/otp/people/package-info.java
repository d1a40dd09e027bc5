/** Tests of the register of people. */
@NullMarked
package dev.gatehouse.idp.otp.people;

import org.jspecify.annotations.NullMarked;
