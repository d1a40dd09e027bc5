package dev.gatehouse.common.saml.message;

import java.util.Arrays;

/**
 * Compresses a short message (DEFLATE, RFC 1951): one block with the fixed codes of section 3.2.6, and repeated text as references (section
 * 3.2.5). The JDK's compressor allocates a quarter of a megabyte for each message and clears a part of it, however short the message is.
 */
final class ShortDeflate {

  /** The longest message in bytes. Longer ones have encrypted parts, mostly, for which fixed codes are too long. */
  static final int LONGEST = 1500;

  private static final int LAST_BLOCK_WITH_FIXED_CODES = 0b011;
  private static final int END_OF_BLOCK = 256;
  private static final int FIRST_LENGTH = 257;
  private static final int SHORTEST_MATCH = 3;

  /** One less than the format has: 258 has a code of its own, outside the rule in {@link #match}. */
  private static final int LONGEST_MATCH = 257;

  private static final int DISTANCE_BITS = 5;
  private static final int SLOT_BITS = 10;

  /** Spreads three bytes over the slots: 2^32 divided by the golden ratio. */
  private static final int FACTOR = 0x9E3779B1;

  /** Codes of literals and lengths, as they are written: the first bit is the lowest one. */
  private static final short[] CODES = new short[288];

  private static final byte[] CODE_BITS = new byte[CODES.length];

  static {
    for (int symbol = 0; symbol < CODES.length; symbol++) {
      int bits = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
      int code;
      if (symbol < 144) {
        code = 0b00110000 + symbol;
      } else if (symbol < 256) {
        code = 0b110010000 + symbol - 144;
      } else if (symbol < 280) {
        code = symbol - 256;
      } else {
        code = 0b11000000 + symbol - 280;
      }
      CODES[symbol] = (short) reversed(code, bits);
      CODE_BITS[symbol] = (byte) bits;
    }
  }

  private final byte[] message;
  private final byte[] out;
  private int written;
  private int pending;
  private int pendingBits;

  private ShortDeflate(byte[] message) {
    this.message = message;
    // A byte takes nine bits at most. Three come before the first one, seven behind the last, and the rest of a byte.
    this.out = new byte[message.length + message.length / 8 + 4];
  }

  static byte[] of(byte[] message) {
    if (message.length > LONGEST) {
      throw new IllegalArgumentException("a message of " + message.length + " bytes");
    }
    return new ShortDeflate(message).compressed();
  }

  private byte[] compressed() {
    // Where three bytes were last, by their slot: the position plus one; 0 if they were nowhere. Others may have the same slot.
    short[] last = new short[1 << SLOT_BITS];
    put(LAST_BLOCK_WITH_FIXED_CODES, 3);
    int at = 0;
    while (at < message.length) {
      int before = at + SHORTEST_MATCH <= message.length ? last[slot(at)] - 1 : -1;
      int length = before < 0 ? 0 : matchLength(before, at);
      int step = 1;
      if (length < SHORTEST_MATCH) {
        symbol(message[at] & 0xff);
      } else {
        match(length, at - before);
        step = length;
      }
      for (int i = at; i < at + step && i + SHORTEST_MATCH <= message.length; i++) {
        last[slot(i)] = (short) (i + 1);
      }
      at += step;
    }
    symbol(END_OF_BLOCK);
    if (pendingBits > 0) {
      out[written++] = (byte) pending;
    }
    return Arrays.copyOf(out, written);
  }

  private int slot(int at) {
    int three = (message[at] & 0xff) | ((message[at + 1] & 0xff) << 8) | ((message[at + 2] & 0xff) << 16);
    return (three * FACTOR) >>> (Integer.SIZE - SLOT_BITS);
  }

  /** Returns how many bytes are the same from both positions on. They may overlap. */
  private int matchLength(int before, int at) {
    int most = Math.min(LONGEST_MATCH, message.length - at);
    int length = 0;
    while (length < most && message[before + length] == message[at + length]) {
      length++;
    }
    return length;
  }

  /**
   * Writes a reference. The first eight lengths and four distances have a code each. Behind them come groups of four codes for lengths and
   * two for distances: each code is for twice as many as one of the group before, and extra bits say which of them it is.
   */
  private void match(int length, int distance) {
    int more = length - SHORTEST_MATCH;
    if (more < 8) {
      symbol(FIRST_LENGTH + more);
    } else {
      int extra = 29 - Integer.numberOfLeadingZeros(more);
      symbol(FIRST_LENGTH + 4 * extra + (more >> extra));
      put(more & ((1 << extra) - 1), extra);
    }
    int farther = distance - 1;
    if (farther < 4) {
      put(reversed(farther, DISTANCE_BITS), DISTANCE_BITS);
    } else {
      int extra = 30 - Integer.numberOfLeadingZeros(farther);
      put(reversed(2 * extra + (farther >> extra), DISTANCE_BITS), DISTANCE_BITS);
      put(farther & ((1 << extra) - 1), extra);
    }
  }

  private void symbol(int symbol) {
    put(CODES[symbol], CODE_BITS[symbol]);
  }

  /** Writes bits, the lowest one first (section 3.1.1). */
  private void put(int value, int bits) {
    pending |= value << pendingBits;
    pendingBits += bits;
    while (pendingBits >= Byte.SIZE) {
      out[written++] = (byte) pending;
      pending >>>= Byte.SIZE;
      pendingBits -= Byte.SIZE;
    }
  }

  private static int reversed(int code, int bits) {
    return Integer.reverse(code) >>> (Integer.SIZE - bits);
  }
}
