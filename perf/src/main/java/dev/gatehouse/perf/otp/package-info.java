/** {@code bench otp}: passcodes of tokens by RADIUS. */
@NullMarked
package dev.gatehouse.perf.otp;

import org.jspecify.annotations.NullMarked;
