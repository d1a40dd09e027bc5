package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.realm.KeyConfig.KeyInToken;
import java.util.Optional;

/** The purpose of a key. */
public enum KeyUse {
  IDP_SIGNING,
  SP_SIGNING,
  /** Decrypts messages to our idp (an EncryptedID in a LogoutRequest); always RSA. */
  IDP_ENCRYPTION,
  /** Decrypts messages to our sp; always RSA. */
  SP_ENCRYPTION,
  /** Signs tokens by RS256 and PS256 (RFC 7518, sections 3.3 and 3.5). */
  IDP_TOKENS_RSA,
  /** Signs tokens by ES256 (RFC 7518, section 3.4). */
  IDP_TOKENS_P256,
  /** Signs tokens by EdDSA (RFC 8037, section 3.1). */
  IDP_TOKENS_ED25519,
  /** Signs identity tokens for apps by RS256. */
  SP_TOKENS_RSA,
  /** Signs identity tokens for apps by ES256. */
  SP_TOKENS_P256;

  public boolean isEncryption() {
    return this == IDP_ENCRYPTION || this == SP_ENCRYPTION;
  }

  /** Returns whether the key signs the idp's JWTs. Their readers find the public halves at our jwks_uri and adopt new ones. */
  public boolean isTokens() {
    return this == IDP_TOKENS_RSA || this == IDP_TOKENS_P256 || this == IDP_TOKENS_ED25519;
  }

  /** Returns whether the key signs JWTs for apps behind the gateway; the sp publishes its public half. */
  public boolean isIdentity() {
    return this == SP_TOKENS_RSA || this == SP_TOKENS_P256;
  }

  /** Returns whether keys are generated here even if the realm's signing key is configured. */
  boolean isAlwaysGenerated() {
    return isEncryption() || isTokens() || isIdentity();
  }

  /** Returns whether the key belongs to the idp; otherwise it belongs to the sp. */
  public boolean isIdp() {
    return this != SP_SIGNING && this != SP_ENCRYPTION && !isIdentity();
  }

  /** Returns what a key of this use in a token is for; empty for those that no token holds. */
  Optional<KeyInToken.Use> inToken() {
    return switch (this) {
      case IDP_SIGNING, SP_SIGNING -> Optional.of(KeyInToken.Use.SIGNING);
      case IDP_ENCRYPTION, SP_ENCRYPTION -> Optional.of(KeyInToken.Use.ENCRYPTION);
      case IDP_TOKENS_RSA -> Optional.of(KeyInToken.Use.TOKENS_RSA);
      case IDP_TOKENS_P256 -> Optional.of(KeyInToken.Use.TOKENS_P256);
      case IDP_TOKENS_ED25519 -> Optional.empty();
      case SP_TOKENS_RSA -> Optional.of(KeyInToken.Use.IDENTITY_RSA);
      case SP_TOKENS_P256 -> Optional.of(KeyInToken.Use.IDENTITY_P256);
    };
  }

  /** Returns the algorithm of keys of this use, given the realm's configured algorithm. */
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
