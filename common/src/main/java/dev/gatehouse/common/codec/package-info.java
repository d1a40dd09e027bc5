/**
 * Encodes records in few bytes: numbers take as many bytes as they need, identifiers are packed, and instants are stored relative to
 * each other. Also formats times, and writes JSON. Uses no other package of ours.
 */
@NullMarked
package dev.gatehouse.common.codec;

import org.jspecify.annotations.NullMarked;
