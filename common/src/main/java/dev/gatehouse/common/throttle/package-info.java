/**
 * Limits on guessing, by account and by address, shared by every way to log in.
 */
@NullMarked
package dev.gatehouse.common.throttle;

import org.jspecify.annotations.NullMarked;
