/**
 * Limits on guessing, by account and by address, shared by every way to log in; the forms of a typed login name (RFC 4518).
 */
@NullMarked
package dev.gatehouse.common.throttle;

import org.jspecify.annotations.NullMarked;
