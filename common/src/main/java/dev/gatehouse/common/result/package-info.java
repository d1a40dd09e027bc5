/** The result of a check: a value, or the refusal as a value. */
@NullMarked
package dev.gatehouse.common.result;

import org.jspecify.annotations.NullMarked;
