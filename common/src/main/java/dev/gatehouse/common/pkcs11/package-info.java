/**
 * Private keys in PKCS#11 tokens (PKCS #11 version 2.40), called by the foreign function interface. A key never leaves its token: a
 * key that the token would give away is refused.
 */
@NullMarked
package dev.gatehouse.common.pkcs11;

import org.jspecify.annotations.NullMarked;
