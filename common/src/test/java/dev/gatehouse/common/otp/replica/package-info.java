/** Tests of servers of one-time passwords without servers. */
@NullMarked
package dev.gatehouse.common.otp.replica;

import org.jspecify.annotations.NullMarked;
