package dev.gatehouse.common.key;

import dev.gatehouse.common.crypto.AesGcm;
import dev.gatehouse.common.crypto.InstancePool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Seals secrets for the database (AES-256-GCM, NIST SP 800-38D) and calculates keyed digests, under keys derived from {@code
 * data/keys/sealing}, which is created at first need. A copy of the database alone opens nothing.
 *
 * <p>A secret is sealed for a context (realm, person ...), which is authenticated: a secret moved to another row does not open.
 */
public final class SealingKey {

  static final String NAME = "sealing";

  private static final int KEY_BYTES = 32;
  private static final byte VERSION = 1;

  /** Length of version and nonce. */
  private static final int HEAD_BYTES = 1 + AesGcm.NONCE_BYTES;

  private final RandomGenerator random;
  private final Supplier<byte[]> master;
  private volatile Optional<Derived> derived = Optional.empty();

  /**
   * Keys derived from the master key.
   *
   * @param sealing for AES-GCM
   * @param digesting for HMAC
   * @param deriving input of HKDF for further keys
   */
  private record Derived(SecretKey sealing, InstancePool<Mac> digesting, InstancePool<Mac> deriving) {}

  /**
   * Opens the key.
   *
   * @param data the node's data directory
   * @param random a SecureRandom outside tests
   */
  public SealingKey(Path data, RandomGenerator random) {
    this(new FileKeyPlace(data), random);
  }

  /** Opens the key of that place. */
  public SealingKey(KeyPlace place, RandomGenerator random) {
    this(random, () -> readOrCreate(place, random));
  }

  private SealingKey(RandomGenerator random, Supplier<byte[]> master) {
    this.random = random;
    this.master = master;
  }

  /**
   * Uses that key.
   *
   * @param key 32 bytes
   */
  public static SealingKey of(byte[] key, RandomGenerator random) {
    byte[] copy = key.clone();
    if (copy.length != KEY_BYTES) {
      throw new IllegalArgumentException("The key has not " + KEY_BYTES + " bytes");
    }
    return new SealingKey(random, () -> copy);
  }

  /** Creates a key in memory, for {@code storage: volatile}: it is lost together with everything that it sealed. */
  public static SealingKey inMemory(RandomGenerator random) {
    byte[] key = generate(random);
    return new SealingKey(random, () -> key);
  }

  /** Seals the secret; the result differs each time. */
  public byte[] seal(byte[] secret, String... context) {
    byte[] nonce = new byte[AesGcm.NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] sealed = new byte[HEAD_BYTES + secret.length + AesGcm.TAG_BYTES];
    ByteBuffer.wrap(sealed).put(VERSION).put(nonce);
    try {
      AesGcm.encrypt(derived().sealing(), encoded(context), secret, sealed, 1, HEAD_BYTES);
      return sealed;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Opens the secret; throws if it was sealed for another context or under another key, or was changed. */
  public byte[] open(byte[] sealed, String... context) {
    if (sealed.length < HEAD_BYTES || sealed[0] != VERSION) {
      throw new IllegalStateException("Not a sealed secret of version " + VERSION);
    }
    try {
      return AesGcm.decrypt(derived().sealing(), encoded(context), sealed, 1, HEAD_BYTES);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("A sealed secret does not open: is keys/sealing in the data directory the key that sealed it?", e);
    }
  }

  /** Returns the HMAC-SHA256 of a strong random text, in hexadecimal digits; equal for equal texts and contexts. */
  public String digest(String text, String... context) {
    byte[] prefix = encoded(context);
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    try {
      return HexFormat.of()
          .formatHex(
              derived()
                  .digesting()
                  .use(
                      mac -> {
                        mac.update(prefix);
                        return mac.doFinal(utf8);
                      }));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Derives a key for one use, the same on every node that has this key: HKDF-Expand with SHA-256 (RFC 5869, section 2.3). The 32
   * bytes of the key are one block, which is one HMAC by an instance that has its key already.
   *
   * @param algorithm of the key, for example AES
   * @param use the purpose: each has its own key
   */
  public SecretKey derive(String algorithm, String... use) {
    byte[] info = encoded(use);
    try {
      byte[] key =
          derived()
              .deriving()
              .use(
                  mac -> {
                    mac.update(info);
                    mac.update((byte) 1);
                    return mac.doFinal();
                  });
      return new SecretKeySpec(key, algorithm);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Encodes each part with its length before it, so that no two contexts have the same encoding. */
  private static byte[] encoded(String... context) {
    byte[][] parts = new byte[context.length][];
    int length = Integer.BYTES;
    for (int i = 0; i < parts.length; i++) {
      parts[i] = context[i].getBytes(StandardCharsets.UTF_8);
      length += Integer.BYTES + parts[i].length;
    }
    ByteBuffer all = ByteBuffer.allocate(length).putInt(parts.length);
    for (byte[] part : parts) {
      all.putInt(part.length).put(part);
    }
    return all.array();
  }

  private Derived derived() {
    Optional<Derived> known = derived;
    if (known.isPresent()) {
      return known.get();
    }
    byte[] key = master.get();
    Derived keys =
        new Derived(
            derive(key, "seal", "AES"),
            macs(derive(key, "digest", "HmacSHA256")),
            macs(derive(key, "derive", "HmacSHA256")));
    derived = Optional.of(keys);
    return keys;
  }

  private static InstancePool<Mac> macs(SecretKey key) {
    return new InstancePool<>(
        () -> {
          Mac mac = Mac.getInstance("HmacSHA256");
          mac.init(key);
          return mac;
        });
  }

  /** Derives a key for one use (NIST SP 800-108, section 4.1, one block of HMAC-SHA256). */
  private static SecretKey derive(byte[] master, String use, String algorithm) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(master, "HmacSHA256"));
      return new SecretKeySpec(mac.doFinal(("gatehouse sealing 1 " + use).getBytes(StandardCharsets.UTF_8)), algorithm);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] readOrCreate(KeyPlace place, RandomGenerator random) {
    Path file = place.root().resolve(NAME);
    try {
      // A key is never replaced: the lock is needed to make one only, and a place whose lock is away still has its copy.
      Optional<byte[]> known = known(file, place);
      if (known.isPresent()) {
        return known.get();
      }
      return place.locked(place.root(), () -> readOrCreateLocked(file, place, random));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot use " + file, e);
    }
  }

  private static Optional<byte[]> known(Path file, KeyPlace place) throws IOException {
    try {
      byte[] key = Base64.getDecoder().decode(new String(place.read(file), StandardCharsets.US_ASCII).strip());
      if (key.length == KEY_BYTES) {
        return Optional.of(key);
      }
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      throw new IOException("It is not base64", e);
    }
    throw new IOException("It has not " + KEY_BYTES + " bytes");
  }

  private static byte[] readOrCreateLocked(Path file, KeyPlace place, RandomGenerator random) throws IOException {
    Optional<byte[]> known = known(file, place);
    if (known.isPresent()) {
      return known.get();
    }
    if (place.lists(file)) {
      throw new NoSuchFileException(file.toString(), null, "It is missing, and no new key is made in place of a lost one");
    }
    byte[] fresh = generate(random);
    place.replace(file, Base64.getEncoder().encodeToString(fresh) + "\n");
    return fresh;
  }

  private static byte[] generate(RandomGenerator random) {
    byte[] key = new byte[KEY_BYTES];
    random.nextBytes(key);
    return key;
  }
}
