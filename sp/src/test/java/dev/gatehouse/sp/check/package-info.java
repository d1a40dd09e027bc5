/** Tests of that package. */
@NullMarked
package dev.gatehouse.sp.check;

import org.jspecify.annotations.NullMarked;
