package dev.gatehouse.common.key;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.crypto.Cipher;
import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals secrets for the database (AES-256-GCM, NIST SP 800-38D) and makes keyed digests, under keys derived from {@code
 * data/keys/sealing}, which is made at first need. A copy of the database alone opens nothing.
 *
 * <p>A secret is sealed for a context (realm, person ...), which is authenticated: moved to another row it does not open.
 */
public final class SealingKey {

  static final String NAME = "sealing";

  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final byte VERSION = 1;

  private final RandomGenerator random;
  private final Supplier<byte[]> master;
  private volatile Optional<Derived> derived = Optional.empty();

  /** @param sealing for AES-GCM; @param digesting for HMAC; @param deriving of which HKDF makes further keys */
  private record Derived(SecretKey sealing, SecretKey digesting, SecretKey deriving) {}

  /** @param data the node's data directory; @param random a SecureRandom outside tests */
  public SealingKey(Path data, RandomGenerator random) {
    this(random, () -> readOrMake(data.resolve("keys"), random));
  }

  private SealingKey(RandomGenerator random, Supplier<byte[]> master) {
    this.random = random;
    this.master = master;
  }

  /** For {@code storage: volatile}: it is gone with what it sealed. */
  public static SealingKey inMemory(RandomGenerator random) {
    byte[] key = made(random);
    return new SealingKey(random, () -> key);
  }

  /** Another result each time. */
  public byte[] seal(byte[] secret, String... context) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, nonce, context);
      byte[] sealed = cipher.doFinal(secret);
      return ByteBuffer.allocate(1 + NONCE_BYTES + sealed.length).put(VERSION).put(nonce).put(sealed).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The secret; throws where it was sealed for another context or under another key, or was changed. */
  public byte[] open(byte[] sealed, String... context) {
    if (sealed.length < 1 + NONCE_BYTES || sealed[0] != VERSION) {
      throw new IllegalStateException("Not a sealed secret of version " + VERSION);
    }
    byte[] nonce = new byte[NONCE_BYTES];
    System.arraycopy(sealed, 1, nonce, 0, NONCE_BYTES);
    try {
      return cipher(Cipher.DECRYPT_MODE, nonce, context)
          .doFinal(sealed, 1 + NONCE_BYTES, sealed.length - 1 - NONCE_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("A sealed secret does not open: is keys/sealing in the data directory the key that sealed it?", e);
    }
  }

  /** HMAC-SHA256 of a strong random text, in hexadecimal digits. The same text and context give the same one. */
  public String digest(String text, String... context) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(derived().digesting());
      mac.update(encoded(context));
      return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A key for one use (HKDF-SHA256, RFC 5869), the same on every node that has this key.
   *
   * @param algorithm of the key, for example AES
   * @param use what it is for: another use, another key
   */
  public SecretKey derive(String algorithm, String... use) {
    try {
      return KDF.getInstance("HKDF-SHA256")
          .deriveKey(algorithm, HKDFParameterSpec.expandOnly(derived().deriving(), encoded(use), KEY_BYTES));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private Cipher cipher(int mode, byte[] nonce, String... context) throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(mode, derived().sealing(), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(encoded(context));
    return cipher;
  }

  /** Each part with its length before it, so that no two contexts look alike. */
  private static byte[] encoded(String... context) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(context.length);
      for (String part : context) {
        byte[] utf8 = part.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private Derived derived() {
    Optional<Derived> known = derived;
    if (known.isPresent()) {
      return known.get();
    }
    byte[] key = master.get();
    Derived made =
        new Derived(
            derive(key, "seal", "AES"), derive(key, "digest", "HmacSHA256"), derive(key, "derive", "Generic"));
    derived = Optional.of(made);
    return made;
  }

  /** A key for one use (NIST SP 800-108, section 4.1, one block of HMAC-SHA256). */
  private static SecretKey derive(byte[] master, String use, String algorithm) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(master, "HmacSHA256"));
      return new SecretKeySpec(mac.doFinal(("gatehouse sealing 1 " + use).getBytes(StandardCharsets.UTF_8)), algorithm);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] readOrMake(Path folder, RandomGenerator random) {
    Path file = folder.resolve(NAME);
    try {
      return PrivateFiles.locked(folder, () -> readOrMakeAlone(file, new KeyManifest(folder), random));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot use " + file, e);
    }
  }

  private static byte[] readOrMakeAlone(Path file, KeyManifest manifest, RandomGenerator random) throws IOException {
    try {
      byte[] key = Base64.getDecoder().decode(Files.readString(file).strip());
      if (key.length == KEY_BYTES) {
        return key;
      }
    } catch (NoSuchFileException e) {
      if (manifest.lists(file)) {
        throw new IOException("It is missing, and no new key is made in place of a lost one", e);
      }
      byte[] made = made(random);
      PrivateFiles.replace(file, Base64.getEncoder().encodeToString(made) + "\n");
      manifest.add(file);
      return made;
    } catch (IllegalArgumentException e) {
      throw new IOException("It is not base64", e);
    }
    throw new IOException("It has not " + KEY_BYTES + " bytes");
  }

  private static byte[] made(RandomGenerator random) {
    byte[] key = new byte[KEY_BYTES];
    random.nextBytes(key);
    return key;
  }
}
