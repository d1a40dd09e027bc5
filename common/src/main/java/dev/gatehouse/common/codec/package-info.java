/**
 * Encodes records in few bytes: numbers take as many bytes as they need, identifiers are packed, instants are stored relative to each
 * other, and words that many records share are stored once in a vocabulary. Also formats times. Uses no other package of ours.
 */
@NullMarked
package dev.gatehouse.common.codec;

import org.jspecify.annotations.NullMarked;
