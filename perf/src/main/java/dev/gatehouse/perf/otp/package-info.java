/** {@code bench otp}: passcodes of tokens by RADIUS and REST, for several numbers of people. */
@NullMarked
package dev.gatehouse.perf.otp;

import org.jspecify.annotations.NullMarked;
