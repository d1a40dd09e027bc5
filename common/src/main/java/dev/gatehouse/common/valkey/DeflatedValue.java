package dev.gatehouse.common.valkey;

import dev.gatehouse.common.crypto.InstancePool;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Objects;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The compressed form of a session before it is sealed (RFC 1951), with a dictionary of words that sessions have in common. A value
 * begins with {@link #MARK}, or is as its codec wrote it: codecs begin with a version below 128.
 *
 * <p>The length of what is sealed depends on what is in it. No session has a secret beside something that another person chooses, so that
 * nobody can put guesses beside it: ids are hashes, tokens are not stored, and the form that an administrator's session saves is the
 * administrator's own.
 */
final class DeflatedValue {

  /** Deflated with the first dictionary. Its content never changes, because values were written with it. */
  private static final byte MARK = (byte) 0x81;

  private static final String DICTIONARY = "session-words-1.txt";

  /** No session is as long; a longer one is written as it is. */
  private static final int MOST = 1 << 20;

  private static final byte[] WORDS = words();
  private static final InstancePool<Deflater> DEFLATERS = new InstancePool<>(() -> new Deflater(Deflater.BEST_SPEED, true));
  private static final InstancePool<Inflater> INFLATERS = new InstancePool<>(() -> new Inflater(true));

  private DeflatedValue() {}

  private static byte[] words() {
    try (InputStream in = Objects.requireNonNull(DeflatedValue.class.getResourceAsStream(DICTIONARY), DICTIONARY)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the shorter of the compressed form and the value itself. */
  static byte[] of(byte[] plain) {
    if (plain.length < 2 || plain.length > MOST) {
      return plain;
    }
    byte[] out = new byte[plain.length];
    out[0] = MARK;
    try {
      int length =
          DEFLATERS.use(
              deflater -> {
                deflater.reset();
                deflater.setDictionary(WORDS);
                deflater.setInput(plain);
                deflater.finish();
                int written = deflater.deflate(out, 1, out.length - 1);
                return deflater.finished() ? 1 + written : 0;
              });
      return length == 0 ? plain : Arrays.copyOf(out, length);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Returns the value itself.
   *
   * @throws IllegalArgumentException if it cannot be read
   */
  static byte[] inflated(byte[] stored) {
    if (stored.length == 0 || stored[0] != MARK) {
      return stored;
    }
    try {
      return INFLATERS.use(inflater -> inflated(inflater, stored));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static byte[] inflated(Inflater inflater, byte[] stored) {
    inflater.reset();
    inflater.setDictionary(WORDS);
    inflater.setInput(stored, 1, stored.length - 1);
    byte[] plain = new byte[Math.max(64, 4 * stored.length)];
    int size = 0;
    try {
      while (true) {
        int read = inflater.inflate(plain, size, plain.length - size);
        size += read;
        if (inflater.finished()) {
          return Arrays.copyOf(plain, size);
        }
        if (read == 0 && size < plain.length || size > MOST) {
          throw new IllegalArgumentException("not a compressed session");
        }
        plain = Arrays.copyOf(plain, 2 * plain.length);
      }
    } catch (DataFormatException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
