/** Tests of this package. */
@NullMarked
package dev.gatehouse.sp.edge;

import org.jspecify.annotations.NullMarked;
