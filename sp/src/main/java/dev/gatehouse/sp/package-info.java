/**
 * The service provider: how any part of Gatehouse logs a person in somewhere else. Depends on common only; has no
 * listener of its own.
 */
@NullMarked
package dev.gatehouse.sp;

import org.jspecify.annotations.NullMarked;
