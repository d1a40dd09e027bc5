package dev.gatehouse.idp.agent.offline;

import dev.gatehouse.common.crypto.AesGcm;
import dev.gatehouse.common.key.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Optional;
import java.util.random.RandomGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/** The machine's own key: what it seals is worth nothing on another machine, and nothing to another agent. */
final class MachineKey {

  private static final int KEY_BYTES = 32;
  private static final String FILE = "machine.key";

  private final SecretKey key;
  private final RandomGenerator random;
  private final byte[] agent;
  private final boolean isInTpm;

  private MachineKey(byte[] key, boolean isInTpm, String agent, RandomGenerator random) {
    this.key = new SecretKeySpec(key, "AES");
    this.isInTpm = isInTpm;
    this.agent = agent.getBytes(StandardCharsets.UTF_8);
    this.random = random;
  }

  /** Opens the key, or makes one where there is none. */
  static MachineKey open(OfflineSettings settings, String agent, RandomGenerator random) throws IOException {
    PrivateFiles.createFolder(settings.folder());
    byte[] fresh = new byte[KEY_BYTES];
    random.nextBytes(fresh);
    byte[] key = settings.isInTpm() ? TpmSeal.of(settings).open(fresh) : fromFile(settings.folder().resolve(FILE), fresh);
    if (key.length != KEY_BYTES) {
      throw new IOException("the machine's key has " + key.length + " bytes and not " + KEY_BYTES);
    }
    return new MachineKey(key, settings.isInTpm(), agent, random);
  }

  private static byte[] fromFile(Path file, byte[] fresh) throws IOException {
    if (!Files.exists(file)) {
      PrivateFiles.replace(file, fresh);
    }
    return Files.readAllBytes(file);
  }

  boolean isInTpm() {
    return isInTpm;
  }

  byte[] seal(byte[] plain, String use) {
    byte[] nonce = new byte[AesGcm.NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] sealed = Arrays.copyOf(nonce, nonce.length + plain.length + AesGcm.TAG_BYTES);
    try {
      AesGcm.encrypt(key, context(use), plain, sealed, 0, AesGcm.NONCE_BYTES);
      return sealed;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns what was sealed for that use; nothing if another machine or agent sealed it, or somebody changed it. */
  Optional<byte[]> open(byte[] sealed, String use) {
    if (sealed.length < AesGcm.NONCE_BYTES + AesGcm.TAG_BYTES) {
      return Optional.empty();
    }
    try {
      return Optional.of(AesGcm.decrypt(key, context(use), sealed, 0, AesGcm.NONCE_BYTES));
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  private byte[] context(String use) {
    byte[] text = use.getBytes(StandardCharsets.UTF_8);
    byte[] both = Arrays.copyOf(agent, agent.length + 1 + text.length);
    System.arraycopy(text, 0, both, agent.length + 1, text.length);
    return both;
  }
}
