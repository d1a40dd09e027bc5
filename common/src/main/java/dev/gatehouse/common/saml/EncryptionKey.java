package dev.gatehouse.common.saml;

import java.security.cert.X509Certificate;

/**
 * A partner's key for encryption, with what of its EncryptionMethods we use (SAML Metadata 2.4.1.1); the
 * certificate's key is RSA of at least 2048 bits.
 */
public record EncryptionKey(X509Certificate certificate, ContentCipher content, KeyTransport transport) {}
