package dev.gatehouse.common.saml.encryption;

import java.security.cert.X509Certificate;

/**
 * A partner's key for encryption, with the EncryptionMethods that we use (SAML Metadata 2.4.1.1); the certificate's key is
 * RSA of at least 2048 bits.
 */
public record EncryptionKey(X509Certificate certificate, ContentCipher content, KeyTransport transport) {}
