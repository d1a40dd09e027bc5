package dev.gatehouse.common.store;

import dev.gatehouse.common.session.SessionId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;

/**
 * A session as one array of bytes: its id, its expiry (6 bytes, milliseconds, rounded up), and the bytes of its codec. An id
 * that is base64url of 32 bytes, as all of ours are, takes those 32 bytes.
 */
final class SessionRecord {

  private static final int DIGEST = 32;
  private static final int DIGEST_TEXT = 43;
  private static final int TIME = 6;

  /** First byte if the id is a digest. Otherwise three bytes hold the length of the id's text. */
  private static final byte IS_DIGEST = (byte) 0xff;

  private static final int LONGEST_TEXT = 0xfe_ffff;
  private static final long LAST_TIME = (1L << 48) - 1;

  private SessionRecord() {}

  static byte[] of(byte[] key, Instant expiresAt, byte[] body) {
    byte[] record = Arrays.copyOf(key, key.length + TIME + body.length);
    long millis = millis(expiresAt);
    for (int i = 0; i < TIME; i++) {
      record[key.length + i] = (byte) (millis >>> 8 * (TIME - 1 - i));
    }
    System.arraycopy(body, 0, record, key.length + TIME, body.length);
    return record;
  }

  /** Returns the id as it stands at the beginning of records. */
  static byte[] key(SessionId id) {
    String text = id.value();
    if (text.length() == DIGEST_TEXT) {
      byte[] digest = digest(text);
      if (digest.length == DIGEST) {
        return Bytes.join(new byte[] {IS_DIGEST}, digest);
      }
    }
    byte[] utf8 = Bytes.utf8(text);
    int length = utf8.length;
    if (length > LONGEST_TEXT) {
      throw new IllegalArgumentException("no session has an id of " + length + " bytes");
    }
    return Bytes.join(new byte[] {(byte) (length >>> 16), (byte) (length >>> 8), (byte) length}, utf8);
  }

  /** Returns the 32 bytes; empty if the text is not their canonical base64url form. */
  private static byte[] digest(String text) {
    try {
      byte[] digest = Base64.getUrlDecoder().decode(text);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest).equals(text) ? digest : new byte[0];
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  static boolean hasKey(byte[] record, byte[] key) {
    return record.length > key.length && Arrays.equals(record, 0, key.length, key, 0, key.length);
  }

  static SessionId id(byte[] record) {
    if (record[0] == IS_DIGEST) {
      byte[] digest = Arrays.copyOfRange(record, 1, 1 + DIGEST);
      return new SessionId(Base64.getUrlEncoder().withoutPadding().encodeToString(digest));
    }
    return new SessionId(new String(record, 3, keyLength(record) - 3, StandardCharsets.UTF_8));
  }

  /** Returns the time from which the session has expired, in milliseconds since 1970. */
  static long expiry(byte[] record) {
    long millis = 0;
    int from = keyLength(record);
    for (int i = 0; i < TIME; i++) {
      millis = millis << 8 | record[from + i] & 0xff;
    }
    return millis;
  }

  static byte[] body(byte[] record) {
    return Arrays.copyOfRange(record, keyLength(record) + TIME, record.length);
  }

  private static int keyLength(byte[] record) {
    return record[0] == IS_DIGEST ? 1 + DIGEST : 3 + ((record[0] & 0xff) << 16 | (record[1] & 0xff) << 8 | record[2] & 0xff);
  }

  private static long millis(Instant instant) {
    if (instant.getEpochSecond() >= LAST_TIME / 1000) {
      return LAST_TIME;
    }
    return instant.getEpochSecond() < 0 ? 0 : Bytes.ceilMillis(instant);
  }
}
