package dev.gatehouse.common.http;

import java.util.List;

/**
 * TLS parameters of every listener: TLS 1.3, and of TLS 1.2 only suites with forward secrecy and authenticated encryption
 * (RFC 9325, section 4.2, and the FAPI 2.0 Security Profile, section 5.2.2).
 */
public final class TlsPolicy {

  public static final List<String> PROTOCOLS = List.of("TLSv1.3", "TLSv1.2");

  /** Names of the IANA registry; JSSE and Netty both use them. */
  public static final List<String> CIPHER_SUITES =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");

  private TlsPolicy() {}
}
