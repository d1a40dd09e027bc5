/** Tests of tokens. */
@NullMarked
package dev.gatehouse.common.otp;

import org.jspecify.annotations.NullMarked;
