/**
 * The values that people store for the login forms of apps: sealed at rest, managed by the person on a page at every
 * protected host, listed for administrators by name only.
 */
@NullMarked
package dev.gatehouse.sp.secret;

import org.jspecify.annotations.NullMarked;
