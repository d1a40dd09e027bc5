/** Tests of the binding of sessions to devices. */
@NullMarked
package dev.gatehouse.sp.device;

import org.jspecify.annotations.NullMarked;
