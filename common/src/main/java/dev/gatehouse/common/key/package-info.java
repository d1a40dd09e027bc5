/**
 * KeyRing, SigningKey, rotation, and the choice of the crypto provider.
 */
@NullMarked
package dev.gatehouse.common.key;

import org.jspecify.annotations.NullMarked;
