/**
 * New passwords by a link in a mail, for people who forgot theirs. The answer to a request, and its time, is the same for known and unknown
 * people; a link works once, for a short time, and does not replace the second factor. Uses {@code idp.authn} and {@code idp.session}.
 */
@NullMarked
package dev.gatehouse.idp.reset;

import org.jspecify.annotations.NullMarked;
