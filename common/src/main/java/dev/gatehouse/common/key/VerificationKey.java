package dev.gatehouse.common.key;

import java.security.cert.X509Certificate;

/** A public half that is published: partners must accept what it verifies. */
public record VerificationKey(String id, KeyAlgorithm algorithm, X509Certificate certificate) {}
