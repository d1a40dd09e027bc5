/** Tests of this package. */
@NullMarked
package dev.gatehouse.sp.check;

import org.jspecify.annotations.NullMarked;
