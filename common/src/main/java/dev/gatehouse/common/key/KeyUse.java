package dev.gatehouse.common.key;

/** What a key is for. */
public enum KeyUse {
  IDP_SIGNING,
  SP_SIGNING,
  /** What others encrypt for our idp (an EncryptedID in a LogoutRequest); always RSA. */
  IDP_ENCRYPTION,
  /** What others encrypt for our sp; always RSA. */
  SP_ENCRYPTION,
  /** Tokens by RS256 and PS256 (RFC 7518, sections 3.3 and 3.5). */
  IDP_TOKENS_RSA,
  /** Tokens by ES256 (RFC 7518, section 3.4). */
  IDP_TOKENS_P256,
  /** Tokens by EdDSA (RFC 8037, section 3.1). */
  IDP_TOKENS_ED25519,
  /** What apps are told of people by RS256. */
  SP_TOKENS_RSA,
  /** What apps are told of people by ES256. */
  SP_TOKENS_P256;

  public boolean isEncryption() {
    return this == IDP_ENCRYPTION || this == SP_ENCRYPTION;
  }

  /** For the idp's JWTs: whoever reads those finds the public halves at our jwks_uri, and takes over new ones. */
  public boolean isTokens() {
    return this == IDP_TOKENS_RSA || this == IDP_TOKENS_P256 || this == IDP_TOKENS_ED25519;
  }

  /** For JWTs that apps behind the gateway get, and whose public halves the sp publishes. */
  public boolean isIdentity() {
    return this == SP_TOKENS_RSA || this == SP_TOKENS_P256;
  }

  /** Whether keys are made here, also where the realm's signing key is configured. */
  boolean isAlwaysMade() {
    return isEncryption() || isTokens() || isIdentity();
  }

  /** Of the idp, or else of the sp. */
  public boolean isIdp() {
    return this != SP_SIGNING && this != SP_ENCRYPTION && !isIdentity();
  }

  /** What a key of this use is made of, where the realm's keys are of that algorithm. */
  KeyAlgorithm algorithm(KeyAlgorithm configured) {
    return switch (this) {
      case IDP_SIGNING, SP_SIGNING -> configured;
      case IDP_ENCRYPTION, SP_ENCRYPTION, IDP_TOKENS_RSA, SP_TOKENS_RSA ->
          configured == KeyAlgorithm.RSA_3072 ? configured : KeyAlgorithm.RSA_2048;
      case IDP_TOKENS_P256, SP_TOKENS_P256 -> KeyAlgorithm.P_256;
      case IDP_TOKENS_ED25519 -> KeyAlgorithm.ED_25519;
    };
  }
}
