package dev.gatehouse.gateway.message;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Collects the bytes of a head to be sent. An event loop reuses one instance for all heads. */
public final class HeadBuffer implements FieldSink {

  private byte[] bytes = new byte[4096];
  private int length;

  public HeadBuffer reset() {
    length = 0;
    return this;
  }

  public byte[] array() {
    return bytes;
  }

  public int length() {
    return length;
  }

  public HeadBuffer put(byte[] from) {
    return put(from, 0, from.length);
  }

  public HeadBuffer put(byte[] from, int start, int end) {
    int count = end - start;
    ensure(count);
    System.arraycopy(from, start, bytes, length, count);
    length += count;
    return this;
  }

  public HeadBuffer put(char ascii) {
    ensure(1);
    bytes[length++] = (byte) ascii;
    return this;
  }

  /** Appends characters up to U+00FF; others become question marks, never a control character. */
  public HeadBuffer put(String latin1) {
    int count = latin1.length();
    ensure(count);
    byte[] to = bytes;
    int at = length;
    for (int i = 0; i < count; i++) {
      char c = latin1.charAt(i);
      to[at + i] = c < 0x100 ? (byte) c : (byte) '?';
    }
    length = at + count;
    return this;
  }

  /** Appends a whole line {@code Name: value} from received fields. */
  @Override
  public HeadBuffer putField(Fields fields, int field) {
    put(fields.bytes(), fields.nameStart(field), fields.nameEnd(field));
    put(':').put(' ');
    put(fields.bytes(), fields.valueStart(field), fields.valueEnd(field));
    return endLine();
  }

  @Override
  public HeadBuffer putField(String name, String latin1Value) {
    return put(name).put(':').put(' ').put(latin1Value).endLine();
  }

  public HeadBuffer put(long number) {
    if (number < 0) {
      return put(Long.toString(number));
    }
    int digits = 1;
    for (long rest = number; rest >= 10; rest /= 10) {
      digits++;
    }
    ensure(digits);
    long rest = number;
    for (int i = length + digits - 1; i >= length; i--) {
      bytes[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
    return this;
  }

  public HeadBuffer endLine() {
    return put('\r').put('\n');
  }

  /** The collected bytes as text, for tests. */
  public String text() {
    return new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
  }

  private void ensure(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }
}
