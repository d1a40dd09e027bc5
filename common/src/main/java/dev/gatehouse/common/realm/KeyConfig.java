package dev.gatehouse.common.realm;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The origin of the realm's signing keys.
 *
 * @param algorithm of keys generated here; {@link KeyAlgorithm#RSA_2048} unless configured
 * @param files the configured key; if absent, keys are generated at first start and stored in the data directory
 * @param encryptionPublished whether our metadata list keys for encryption: a partner without authenticated encryption sends
 *     plain assertions if it finds none
 */
public record KeyConfig(KeyAlgorithm algorithm, Optional<KeyFiles> files, boolean encryptionPublished) {

  /** Creates a configuration whose keys for encryption are published. */
  public KeyConfig(KeyAlgorithm algorithm, Optional<KeyFiles> files) {
    this(algorithm, files, true);
  }

  /** A key in the operator's files. */
  public sealed interface KeyFiles {
    /** PEM: a PKCS#8 private key and its X.509 certificate. */
    record Pem(Path privateKey, Path certificate) implements KeyFiles {}

    /** A PKCS#12 store with one private key entry. */
    record Pkcs12(Path store, Secret password) implements KeyFiles {}
  }
}
