/**
 * Limits on guessing, by account and by address, shared by every way to log in; the forms of a typed login name (RFC 4518); lines of
 * the log that are paced.
 */
@NullMarked
package dev.gatehouse.common.throttle;

import org.jspecify.annotations.NullMarked;
