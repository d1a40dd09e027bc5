/**
 * XML Encryption 1.1 with authenticated ciphers and RSA-OAEP only (sections 5.2.4 and 5.5.2): {@code EncryptedElement} decrypts,
 * {@code ElementEncrypter} encrypts.
 */
@NullMarked
package dev.gatehouse.common.saml.encryption;

import org.jspecify.annotations.NullMarked;
