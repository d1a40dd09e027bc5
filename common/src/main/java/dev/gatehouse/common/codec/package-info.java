/**
 * Records as few bytes: numbers take as many bytes as they need, identifiers are packed, instants are told from each other, and
 * words that many records share stand once in a vocabulary. And times as text. Uses nothing of ours.
 */
@NullMarked
package dev.gatehouse.common.codec;

import org.jspecify.annotations.NullMarked;
