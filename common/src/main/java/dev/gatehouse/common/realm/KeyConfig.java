package dev.gatehouse.common.realm;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The origin of the realm's signing keys.
 *
 * @param algorithm of keys generated here; {@link KeyAlgorithm#RSA_2048} unless configured
 * @param files the configured key; if absent, keys are generated at first start and stored in the data directory
 * @param encryptionPublished whether our metadata list keys for encryption: a partner without authenticated encryption sends
 *     plain assertions if it finds none
 * @param inTokens keys in PKCS#11 tokens, which take the place of others of their use
 * @param isFormerKept whether keys in files are still published, and decrypt, beside those in tokens
 */
public record KeyConfig(
    KeyAlgorithm algorithm, Optional<KeyFiles> files, boolean encryptionPublished, List<KeyInToken> inTokens, boolean isFormerKept) {

  public KeyConfig {
    inTokens = List.copyOf(inTokens);
  }

  /** Creates a configuration without keys in tokens. */
  public KeyConfig(KeyAlgorithm algorithm, Optional<KeyFiles> files, boolean encryptionPublished) {
    this(algorithm, files, encryptionPublished, List.of(), false);
  }

  /** Creates a configuration whose keys for encryption are published. */
  public KeyConfig(KeyAlgorithm algorithm, Optional<KeyFiles> files) {
    this(algorithm, files, true);
  }

  /**
   * A private key in a PKCS#11 token.
   *
   * @param token its name in {@code gatehouse.yaml}
   * @param certificate in PEM; empty if the token holds it
   */
  public record KeyInToken(String token, Use use, State state, String label, Optional<Path> certificate) {

    /** What keys in tokens are for. */
    public enum Use {
      /** SAML messages of idp and sp. */
      SIGNING,
      /** What partners encrypt to idp and sp. */
      ENCRYPTION,
      /** Tokens of the idp by RS256 and PS256. */
      TOKENS_RSA,
      /** Tokens of the idp by ES256. */
      TOKENS_P256,
      /** Identity tokens for apps by RS256. */
      IDENTITY_RSA,
      /** Identity tokens for apps by ES256. */
      IDENTITY_P256
    }

    /** The place of a key in a rotation. */
    public enum State {
      CURRENT,
      NEXT,
      PREVIOUS
    }
  }

  /** A key in the operator's files. */
  public sealed interface KeyFiles {
    /** PEM: a PKCS#8 private key and its X.509 certificate. */
    record Pem(Path privateKey, Path certificate) implements KeyFiles {}

    /** A PKCS#12 store with one private key entry. */
    record Pkcs12(Path store, Secret password) implements KeyFiles {}
  }
}
