/** Tests of that package. */
@NullMarked
package dev.gatehouse.sp.codec;

import org.jspecify.annotations.NullMarked;
