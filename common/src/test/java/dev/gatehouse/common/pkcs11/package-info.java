/** Tests of keys in PKCS#11 tokens. */
@NullMarked
package dev.gatehouse.common.pkcs11;

import org.jspecify.annotations.NullMarked;
