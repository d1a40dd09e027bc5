package dev.gatehouse.common.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The end of a line: {@code ,"seq":N,"chain":"..."}}. Numbers grow by one with each line of the installation. The chain is the first half
 * of the SHA-256 of the previous chain and of this line up to its number. After a line was removed, changed, added or moved, the next
 * line does not match.
 */
record AuditLink(long seq, byte[] chain) {

  static final int CHAIN_BYTES = 16;

  /** The link before the first line. */
  static final AuditLink NONE = new AuditLink(0, new byte[CHAIN_BYTES]);

  private static final byte[] SEQ = ",\"seq\":".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CHAIN = ",\"chain\":\"".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] END = "\"}\n".getBytes(StandardCharsets.US_ASCII);
  private static final int CHAIN_FIELD = CHAIN.length + 2 * CHAIN_BYTES + END.length;
  private static final int LONGEST_SEQ = 19;

  /** A line with its end, and the link that the next line continues. */
  record Linked(byte[] line, AuditLink link) {}

  /** @param line a complete object without such an end */
  Linked append(byte[] line, MessageDigest digest) {
    int hashed = line.length - 2 + SEQ.length + digits(seq + 1);
    byte[] linked = Arrays.copyOf(line, hashed + CHAIN_FIELD);
    System.arraycopy(SEQ, 0, linked, line.length - 2, SEQ.length);
    number(seq + 1, linked, hashed);
    AuditLink next = new AuditLink(seq + 1, chain(linked, 0, hashed, digest));
    System.arraycopy(CHAIN, 0, linked, hashed, CHAIN.length);
    hex(next.chain, linked, hashed + CHAIN.length);
    System.arraycopy(END, 0, linked, linked.length - END.length, END.length);
    return new Linked(linked, next);
  }

  private static int digits(long number) {
    int digits = 1;
    for (long rest = number / 10; rest > 0; rest /= 10) {
      digits++;
    }
    return digits;
  }

  /** Writes the number in decimal digits that end before {@code to}. */
  private static void number(long number, byte[] bytes, int to) {
    long rest = number;
    int at = to;
    do {
      bytes[--at] = (byte) ('0' + rest % 10);
      rest /= 10;
    } while (rest > 0);
  }

  private static void hex(byte[] from, byte[] bytes, int at) {
    for (int i = 0; i < from.length; i++) {
      bytes[at + 2 * i] = HEX[from[i] >> 4 & 0xf];
      bytes[at + 2 * i + 1] = HEX[from[i] & 0xf];
    }
  }

  /** Reads the end of a line; empty for a line of the former version, and for anything else. */
  static Optional<AuditLink> of(byte[] bytes, int from, int to) {
    int hashed = to - CHAIN_FIELD;
    if (hashed <= from || !is(CHAIN, bytes, hashed) || !is(END, bytes, to - END.length)) {
      return Optional.empty();
    }
    int digits = hashed;
    while (digits > from && hashed - digits < LONGEST_SEQ && bytes[digits - 1] >= '0' && bytes[digits - 1] <= '9') {
      digits--;
    }
    if (digits == hashed || digits - SEQ.length < from || !is(SEQ, bytes, digits - SEQ.length)) {
      return Optional.empty();
    }
    OptionalLong seq = number(bytes, digits, hashed);
    Optional<byte[]> chain = unhex(bytes, hashed + CHAIN.length);
    return seq.isPresent() && chain.isPresent() ? Optional.of(new AuditLink(seq.getAsLong(), chain.get())) : Optional.empty();
  }

  /** Reads at most nineteen digits; empty if they are more than a number may be. */
  private static OptionalLong number(byte[] bytes, int from, int to) {
    long number = 0;
    for (int i = from; i < to; i++) {
      number = 10 * number + bytes[i] - '0';
      if (number < 0) {
        return OptionalLong.empty();
      }
    }
    return OptionalLong.of(number);
  }

  /** Reads a chain; upper case is refused, because every byte of a line must be as written. */
  private static Optional<byte[]> unhex(byte[] bytes, int from) {
    byte[] chain = new byte[CHAIN_BYTES];
    for (int i = 0; i < 2 * CHAIN_BYTES; i++) {
      byte digit = bytes[from + i];
      int value = digit >= '0' && digit <= '9' ? digit - '0' : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10 : -1;
      if (value < 0) {
        return Optional.empty();
      }
      chain[i / 2] = (byte) (chain[i / 2] << 4 | value);
    }
    return Optional.of(chain);
  }

  /** Returns whether a line with the end {@code said} continues this link. */
  boolean isFollowedBy(AuditLink said, byte[] bytes, int from, int to, MessageDigest digest) {
    return Arrays.equals(said.chain, chain(bytes, from, to - CHAIN_FIELD, digest));
  }

  boolean isSame(AuditLink other) {
    return seq == other.seq && Arrays.equals(chain, other.chain);
  }

  private byte[] chain(byte[] bytes, int from, int to, MessageDigest digest) {
    digest.update(chain);
    digest.update(bytes, from, to - from);
    return Arrays.copyOf(digest.digest(), CHAIN_BYTES);
  }

  private static boolean is(byte[] word, byte[] bytes, int at) {
    return Arrays.equals(word, 0, word.length, bytes, at, at + word.length);
  }
}
