/** Tests of this package. */
@NullMarked
package dev.gatehouse.sp.acs;

import org.jspecify.annotations.NullMarked;
