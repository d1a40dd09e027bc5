/** Tests of that package. */
@NullMarked
package dev.gatehouse.sp.edge;

import org.jspecify.annotations.NullMarked;
