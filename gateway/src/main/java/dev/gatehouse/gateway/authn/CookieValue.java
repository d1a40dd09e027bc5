package dev.gatehouse.gateway.authn;

import dev.gatehouse.gateway.message.Ascii;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The value of a cookie, in the bytes of its request. */
record CookieValue(byte[] bytes, int start, int end) {

  private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

  String text() {
    return Ascii.string(bytes, start, end);
  }

  byte[] copy() {
    return Arrays.copyOfRange(bytes, start, end);
  }

  /** Compares in constant time, because a proxy's connection may carry requests of many people. */
  boolean isSame(byte[] known) {
    int length = end - start;
    if (length != known.length) {
      return false;
    }
    long differences = 0;
    int at = 0;
    for (; at + Long.BYTES <= length; at += Long.BYTES) {
      differences |= (long) LONGS.get(bytes, start + at) ^ (long) LONGS.get(known, at);
    }
    for (; at < length; at++) {
      differences |= bytes[start + at] ^ known[at];
    }
    return differences == 0;
  }
}
