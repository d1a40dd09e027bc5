/** Tests of that package. */
@NullMarked
package dev.gatehouse.sp.acs;

import org.jspecify.annotations.NullMarked;
