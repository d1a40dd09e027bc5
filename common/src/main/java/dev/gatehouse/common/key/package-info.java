/**
 * The realms' keys that sign messages and tokens, and that decrypt: current, next and previous (SAML Metadata 2.4.1.1 permits
 * several published keys), generated here or configured. Also the administrators' keys, the key that seals secrets, and the choice
 * of the crypto provider. The only package besides the demo that creates certificates (Bouncy Castle bcpkix), and the only one
 * that names the Amazon Corretto Crypto Provider.
 */
@NullMarked
package dev.gatehouse.common.key;

import org.jspecify.annotations.NullMarked;
