package dev.gatehouse.idp.oauth;

/** The key to which a token is bound: a user of the token must prove possession of it (RFC 7800). */
public sealed interface Confirmation {

  /** @param thumbprint of the DPoP key, {@code jkt} (RFC 9449, section 6) */
  record Dpop(String thumbprint) implements Confirmation {}

  /** @param thumbprint of the client certificate, {@code x5t#S256} (RFC 8705, section 3.1) */
  record Certificate(String thumbprint) implements Confirmation {}
}
