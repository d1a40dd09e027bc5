package dev.gatehouse.common.valkey;

import dev.gatehouse.common.crypto.AesGcm;
import dev.gatehouse.common.crypto.InstancePool;
import dev.gatehouse.common.key.SealingKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * Names of keys and sealed values of one deployment. Names are hashed (HMAC-SHA256 under a key derived from the sealing key, truncated to
 * 128 bits); values are sealed (AES-256-GCM), bound to their store, name and version. Each name has an encryption key of its own, so
 * that random nonces cannot collide (NIST SP 800-38D, section 8.3).
 */
final class Names {

  private static final int HASH_BYTES = 16;
  private static final byte FORMAT = 1;
  /** Length of what a sealed value begins with: its format and a random nonce. */
  static final int HEAD = 1 + AesGcm.NONCE_BYTES;

  private final String namespace;
  private final UnreadRecords unread;
  private final SealingKey sealing;
  private final RandomGenerator random;
  private final InstancePool<Mac> macs;

  Names(String namespace, SealingKey sealing, RandomGenerator random, UnreadRecords unread) {
    this.unread = unread;
    this.namespace = namespace;
    this.sealing = sealing;
    this.random = random;
    SecretKey key = sealing.derive("HmacSHA256", "valkey", "names", namespace);
    this.macs =
        new InstancePool<>(
            () -> {
              Mac mac = Mac.getInstance("HmacSHA256");
              mac.init(key);
              return mac;
            });
  }

  /** Returns where records are noted that could be opened and not be read. */
  UnreadRecords unread() {
    return unread;
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns the milliseconds of the time, as scripts read numbers. */
  static byte[] digits(Instant time) {
    return ascii(String.valueOf(time.toEpochMilli()));
  }

  /** Returns the number in eight bytes, as part of a value. */
  static byte[] number(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  /** Returns a key of the namespace. */
  byte[] key(String name) {
    return ascii(keyText(name));
  }

  String keyText(String name) {
    return namespace + ":" + name;
  }

  byte[] prefix() {
    return ascii(namespace + ":");
  }

  /** Returns 22 characters of base64url that stand for the text within the store. */
  String hash(String store, String text) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(hashBytes(store, text));
  }

  /** Returns 16 bytes that stand for the text within the store. */
  byte[] hashBytes(String store, String text) {
    byte[] name = store.getBytes(StandardCharsets.UTF_8);
    try {
      byte[] digest =
          macs.use(
              mac -> {
                mac.update((byte) name.length);
                mac.update(name);
                return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
              });
      return ByteBuffer.allocate(HASH_BYTES).put(digest, 0, HASH_BYTES).array();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Seals the value after a clear head, which is authenticated. */
  byte[] seal(String store, String name, byte[] head, byte[] value) {
    byte[] out = new byte[head.length + HEAD + value.length + AesGcm.TAG_BYTES];
    byte[] nonce = new byte[AesGcm.NONCE_BYTES];
    random.nextBytes(nonce);
    ByteBuffer.wrap(out).put(head).put(FORMAT).put(nonce);
    try {
      AesGcm.encrypt(key(store, name), head, value, out, head.length + 1, head.length + HEAD);
      return out;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Opens a sealed value; empty if somebody changed or moved it, or it was sealed under another key. */
  Optional<byte[]> open(String store, String name, byte[] sealed, int headLength) {
    if (sealed.length < headLength + HEAD + AesGcm.TAG_BYTES || sealed[headLength] != FORMAT) {
      return Optional.empty();
    }
    byte[] head = ByteBuffer.allocate(headLength).put(sealed, 0, headLength).array();
    try {
      return Optional.of(AesGcm.decrypt(key(store, name), head, sealed, headLength + 1, headLength + HEAD));
    } catch (GeneralSecurityException e) {
      return Optional.empty();
    }
  }

  private SecretKey key(String store, String name) {
    return sealing.derive("AES", "valkey", "value", namespace, store, name);
  }
}
