/** Tests of what keeps space for ends and marks. */
@NullMarked
package dev.gatehouse.common.space;

import org.jspecify.annotations.NullMarked;
