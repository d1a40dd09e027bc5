/** Tests of this package. */
@NullMarked
package dev.gatehouse.sp.metadata;

import org.jspecify.annotations.NullMarked;
