/** Directories for tests, embedded ({@link EmbeddedDirectory}) and real ({@link Slapd}), and the contract that both keep. */
@NullMarked
package dev.gatehouse.common.directory;

import org.jspecify.annotations.NullMarked;
