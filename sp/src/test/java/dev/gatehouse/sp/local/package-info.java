/** Tests of logins at the gateway itself, with a directory. */
@NullMarked
package dev.gatehouse.sp.local;

import org.jspecify.annotations.NullMarked;
