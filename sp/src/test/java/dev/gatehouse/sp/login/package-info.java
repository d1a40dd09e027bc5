/** Tests of this package. */
@NullMarked
package dev.gatehouse.sp.login;

import org.jspecify.annotations.NullMarked;
