/** Health, metrics and checks of PKCS#11 tokens. */
@NullMarked
package dev.gatehouse.gateway.pkcs11;

import org.jspecify.annotations.NullMarked;
