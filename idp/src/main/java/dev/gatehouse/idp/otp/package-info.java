/**
 * One-time passwords of tokens: what a person types (PIN and code in one field), and whether it counts. The ways in, such as the login
 * page, RADIUS and REST, ask {@link dev.gatehouse.idp.otp.PasscodeCheck} and know nothing of tokens.
 */
@NullMarked
package dev.gatehouse.idp.otp;

import org.jspecify.annotations.NullMarked;
