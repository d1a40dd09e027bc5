/** Tokens that make one-time passwords, and what is stored about the people who have them: the contract and its tables. */
@NullMarked
package dev.gatehouse.common.otp;

import org.jspecify.annotations.NullMarked;
