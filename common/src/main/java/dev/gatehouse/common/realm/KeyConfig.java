package dev.gatehouse.common.realm;

import dev.gatehouse.common.key.KeyAlgorithm;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the realm's signing keys come from.
 *
 * @param algorithm of keys made here; {@link KeyAlgorithm#RSA_2048} unless configured
 * @param files the configured key; where absent, keys are made at first start and kept in the data directory
 * @param encryptionPublished whether our metadata lists keys for encryption: partners that know no authenticated encryption
 *     send plain assertions where they find none
 */
public record KeyConfig(KeyAlgorithm algorithm, Optional<KeyFiles> files, boolean encryptionPublished) {

  /** One whose keys for encryption are published. */
  public KeyConfig(KeyAlgorithm algorithm, Optional<KeyFiles> files) {
    this(algorithm, files, true);
  }

  /** A key in files of the operator's. */
  public sealed interface KeyFiles {
    /** PEM: a PKCS#8 private key and its X.509 certificate. */
    record Pem(Path privateKey, Path certificate) implements KeyFiles {}

    /** A PKCS#12 store with one private key entry. */
    record Pkcs12(Path store, Secret password) implements KeyFiles {}
  }
}
