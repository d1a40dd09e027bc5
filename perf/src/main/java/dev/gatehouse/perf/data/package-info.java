/**
 * Directories of N people as LDIF (RFC 2849), written as a stream.
 */
@NullMarked
package dev.gatehouse.perf.data;

import org.jspecify.annotations.NullMarked;
