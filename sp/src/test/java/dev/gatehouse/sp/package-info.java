/** Tests of the service provider as a whole, with the real codec and stores in memory. */
@NullMarked
package dev.gatehouse.sp;

import org.jspecify.annotations.NullMarked;
