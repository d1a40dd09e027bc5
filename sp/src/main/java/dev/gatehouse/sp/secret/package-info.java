/**
 * What people store for the login forms of apps: sealed at rest, kept by the person on a page at every protected host, seen by
 * administrators by name only.
 */
@NullMarked
package dev.gatehouse.sp.secret;

import org.jspecify.annotations.NullMarked;
