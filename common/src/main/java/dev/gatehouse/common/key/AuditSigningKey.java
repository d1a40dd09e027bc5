package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.KeyAlgorithm;
import dev.gatehouse.common.crypto.SigningKey;
import dev.gatehouse.common.crypto.VerificationKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Optional;

/** The key of a node that signs checkpoints of the audit log, in {@code data/keys/audit-signing.pem}; generated at first need. */
public final class AuditSigningKey {

  static final String NAME = "audit-signing.pem";

  private final Path folder;

  /** @param data the node's data directory */
  public AuditSigningKey(Path data) {
    this.folder = data.resolve("keys");
  }

  /** Returns the key; throws {@link UncheckedIOException} if it cannot be read, or was lost. */
  public SigningKey readOrCreate(InstantSource time, SecureRandom random) {
    try {
      return PrivateFiles.locked(
          folder,
          () -> {
            Optional<SigningKey> known = parsed();
            return known.isPresent() ? known.get() : created(time, random);
          });
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot use " + folder.resolve(NAME), e);
    }
  }

  /** Returns the public half; empty if no key was generated yet. */
  public Optional<VerificationKey> published() {
    try {
      return parsed().map(key -> new VerificationKey(key.id(), key.algorithm(), key.certificate()));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot use " + folder.resolve(NAME), e);
    }
  }

  private Optional<SigningKey> parsed() throws IOException {
    Optional<byte[]> pem = PrivateFiles.read(folder.resolve(NAME));
    try {
      return pem.isPresent() ? Optional.of(SigningKeys.parse(pem.get())) : Optional.empty();
    } catch (GeneralSecurityException | RuntimeException e) {
      throw new IOException("It is no private key with its certificate", e);
    }
  }

  private SigningKey created(InstantSource time, SecureRandom random) throws IOException {
    Path file = folder.resolve(NAME);
    KeyManifest manifest = new KeyManifest(folder);
    if (manifest.lists(file)) {
      throw new IOException("It is missing, and no new key is made in place of a lost one");
    }
    try {
      SigningKey key = SigningKeys.make(KeyAlgorithm.P_256, "Gatehouse audit log", time.instant(), random);
      PrivateFiles.replace(file, SigningKeys.format(key));
      manifest.add(file);
      return key;
    } catch (GeneralSecurityException e) {
      throw new IOException(e.getMessage(), e);
    }
  }
}
