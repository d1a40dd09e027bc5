/**
 * The realms' keys that sign messages and tokens, and that decrypt: current, next and previous (SAML Metadata 2.4.1.1 permits
 * several published keys), generated here or configured. Also the administrators' keys with their
 * roles, and the key that seals secrets. The only package besides the demo that creates certificates (Bouncy Castle bcpkix).
 */
@NullMarked
package dev.gatehouse.common.key;

import org.jspecify.annotations.NullMarked;
