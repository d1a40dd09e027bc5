/** Directories for tests, embedded ({@link EmbeddedDirectory}) and real ({@link Slapd}), and their common contract. */
@NullMarked
package dev.gatehouse.common.directory;

import org.jspecify.annotations.NullMarked;
