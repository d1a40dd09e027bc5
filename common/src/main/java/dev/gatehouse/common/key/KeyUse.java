package dev.gatehouse.common.key;

/** What a key is for. */
public enum KeyUse {
  IDP_SIGNING,
  SP_SIGNING,
  /** What others encrypt for our idp (an EncryptedID in a LogoutRequest); always RSA. */
  IDP_ENCRYPTION,
  /** What others encrypt for our sp; always RSA. */
  SP_ENCRYPTION;

  public boolean isEncryption() {
    return this == IDP_ENCRYPTION || this == SP_ENCRYPTION;
  }

  /** Of the idp, or else of the sp. */
  public boolean isIdp() {
    return this == IDP_SIGNING || this == IDP_ENCRYPTION;
  }

  /** What a key of this use is made of, where the realm's keys are of that algorithm. */
  KeyAlgorithm algorithm(KeyAlgorithm configured) {
    return isEncryption() && configured == KeyAlgorithm.P_256 ? KeyAlgorithm.RSA_2048 : configured;
  }
}
