/** Tests of that package. */
@NullMarked
package dev.gatehouse.sp.login;

import org.jspecify.annotations.NullMarked;
