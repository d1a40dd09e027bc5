package dev.gatehouse.gateway.authn;

import dev.gatehouse.common.device.Fingerprint;
import dev.gatehouse.common.http.Headers;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** The fields of a request that make its fingerprint. Every request's are digested; they are parsed only if the digest is new. */
final class FingerprintFields {

  private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  /** The names by their lengths. */
  private static final byte[][][] BY_LENGTH = byLength();

  private FingerprintFields() {}

  /**
   * Returns a digest of these fields in their order. It need not resist collisions: a connection remembers only digests of fields
   * that were compared, and only for itself.
   */
  static long digest(Fields fields) {
    byte[] bytes = fields.bytes();
    long digest = FACTOR;
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i) == FieldName.OTHER && counts(bytes, fields.nameStart(i), fields.nameEnd(i))) {
        digest = mixed(digest + fields.nameEnd(i) - fields.nameStart(i));
        digest = digest(digest, bytes, fields.valueStart(i), fields.valueEnd(i));
      }
    }
    return digest;
  }

  /** Returns the fingerprint of a request with these fields. */
  static Fingerprint of(Fields fields) {
    List<Headers.Field> list = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i) == FieldName.OTHER) {
        list.add(new Headers.Field(fields.nameText(i), fields.value(i)));
      }
    }
    return Fingerprint.of(Headers.of(list));
  }

  /** Returns the value of the first field of a name that the gateway does not handle specially; empty if there is none. */
  static String first(Fields fields, String lower) {
    byte[] name = Ascii.bytes(lower);
    for (int i = 0; i < fields.size(); i++) {
      if (fields.nameEnd(i) - fields.nameStart(i) == name.length
          && Ascii.equalsLower(fields.bytes(), fields.nameStart(i), fields.nameEnd(i), name)) {
        return fields.value(i);
      }
    }
    return "";
  }

  private static boolean counts(byte[] bytes, int start, int end) {
    int length = end - start;
    if (length >= BY_LENGTH.length) {
      return false;
    }
    for (byte[] name : BY_LENGTH[length]) {
      if (Ascii.equalsLower(bytes, start, end, name)) {
        return true;
      }
    }
    return false;
  }

  private static long digest(long before, byte[] bytes, int start, int end) {
    long digest = before;
    int at = start;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      digest = mixed(digest ^ (long) LONGS.get(bytes, at));
    }
    long rest = end - start;
    for (; at < end; at++) {
      rest = rest << 8 | bytes[at] & 0xff;
    }
    return mixed(digest ^ rest);
  }

  private static long mixed(long value) {
    long product = value * FACTOR;
    return product ^ product >>> 29;
  }

  /** Without {@code sec-fetch-mode}: its value is of the request, not of the browser. */
  private static byte[][][] byLength() {
    List<List<byte[]>> table = new ArrayList<>();
    for (String name : Fingerprint.NAMES) {
      while (table.size() <= name.length()) {
        table.add(new ArrayList<>());
      }
      if (!name.equals("sec-fetch-mode")) {
        table.get(name.length()).add(Ascii.bytes(name));
      }
    }
    return table.stream().map(names -> names.toArray(byte[][]::new)).toArray(byte[][][]::new);
  }
}
