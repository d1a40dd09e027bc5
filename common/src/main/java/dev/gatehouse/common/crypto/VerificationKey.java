package dev.gatehouse.common.crypto;

import java.security.cert.X509Certificate;

/** A published public key: partners must accept the signatures that it verifies. */
public record VerificationKey(String id, KeyAlgorithm algorithm, X509Certificate certificate) {}
