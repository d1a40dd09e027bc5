package dev.gatehouse.common.pkcs11;

/** What a token made of a message that is encrypted by RSA. */
sealed interface Decrypted {
  record Message(byte[] content) implements Decrypted {}

  /** The token does not know OAEP with these digests: its padding is still there. */
  record Padded(byte[] content) implements Decrypted {}

  /** It was not encrypted to this key, or otherwise. */
  record Wrong() implements Decrypted {}
}
