/** Tests of this package. */
@NullMarked
package dev.gatehouse.sp.session;

import org.jspecify.annotations.NullMarked;
