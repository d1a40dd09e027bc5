/**
 * Limits on guessing, by account and by address, shared by every way to log in; the forms of a typed login name (RFC 4518); the
 * pace of lines in the log, and of tasks that are repeated.
 */
@NullMarked
package dev.gatehouse.common.throttle;

import org.jspecify.annotations.NullMarked;
