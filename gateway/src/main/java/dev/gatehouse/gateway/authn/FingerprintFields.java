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
import java.util.Locale;

/** The fields of a request that make its fingerprint. Every request's are digested; they are parsed only if the digest is new. */
final class FingerprintFields {

  private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long FACTOR = 0x9E3779B97F4A7C15L;

  private static final byte[] NONE = {};
  private static final byte[] MODE = Ascii.bytes("sec-fetch-mode");
  private static final byte[] DESTINATION = Ascii.bytes("sec-fetch-dest");
  private static final byte[] ACCEPT = Ascii.bytes("accept");

  /** The names by their lengths. */
  private static final byte[][][] BY_LENGTH = byLength();

  private FingerprintFields() {}

  /**
   * Returns a digest of these fields in their order, and of whether they are those of a navigation. It need not resist collisions: a
   * connection remembers only digests of fields that were compared, and only for itself.
   */
  static long digest(Fields fields) {
    byte[] bytes = fields.bytes();
    long digest = FACTOR;
    boolean hasMode = false;
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i) != FieldName.OTHER) {
        continue;
      }
      byte[] name = name(bytes, fields.nameStart(i), fields.nameEnd(i));
      if (name.length > 0) {
        hasMode |= name == MODE && fields.valueEnd(i) > fields.valueStart(i);
        digest = mixed(digest + name.length);
        digest = digest(digest, bytes, fields.valueStart(i), fields.valueEnd(i));
      }
    }
    return hasMode ? digest : mixed(digest + (isNavigation(fields) ? 1 : 2));
  }

  /** Returns whether the request loads a page: what its mode says or, of browsers that send none, whether it accepts HTML. */
  static boolean isNavigation(Fields fields) {
    String mode = first(fields, MODE);
    return mode.isEmpty() ? first(fields, ACCEPT).toLowerCase(Locale.ROOT).contains("text/html") : mode.equals("navigate");
  }

  /** Returns where the browser shows the answer; empty if the request does not say. */
  static String destination(Fields fields) {
    return first(fields, DESTINATION);
  }

  /** Returns the fingerprint of a request with these fields, on a connection with this ClientHello. */
  static Fingerprint of(Fields fields, int clientHello) {
    List<Headers.Field> list = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.name(i) == FieldName.OTHER) {
        list.add(new Headers.Field(fields.nameText(i), fields.value(i)));
      }
    }
    return Fingerprint.of(Headers.of(list), clientHello);
  }

  /** Returns the value of the first field of a name that the gateway does not handle specially; empty if there is none. */
  private static String first(Fields fields, byte[] name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.nameEnd(i) - fields.nameStart(i) == name.length
          && Ascii.equalsLower(fields.bytes(), fields.nameStart(i), fields.nameEnd(i), name)) {
        return fields.value(i);
      }
    }
    return "";
  }

  /** Returns the name if it counts; otherwise an empty one. */
  private static byte[] name(byte[] bytes, int start, int end) {
    int length = end - start;
    if (length >= BY_LENGTH.length) {
      return NONE;
    }
    for (byte[] name : BY_LENGTH[length]) {
      if (Ascii.equalsLower(bytes, start, end, name)) {
        return name;
      }
    }
    return NONE;
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

  private static byte[][][] byLength() {
    List<List<byte[]>> table = new ArrayList<>();
    for (String name : Fingerprint.NAMES) {
      while (table.size() <= name.length()) {
        table.add(new ArrayList<>());
      }
      table.get(name.length()).add(name.equals("sec-fetch-mode") ? MODE : Ascii.bytes(name));
    }
    return table.stream().map(names -> names.toArray(byte[][]::new)).toArray(byte[][][]::new);
  }
}
