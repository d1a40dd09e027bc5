package dev.gatehouse.gateway.message;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * The fields of a head, as offsets in its bytes: values are copied only on request. Values have no surrounding white
 * space. Must not be shared between threads while it is being filled; read-only afterwards.
 */
public final class Fields {

  private static final FieldName[] NAMES = FieldName.values();
  private static final int STRIDE = 5;

  private final byte[] bytes;
  private int[] offsets = new int[STRIDE * 16];
  private int size;

  Fields(byte[] bytes) {
    this.bytes = bytes;
  }

  void add(FieldName name, int nameStart, int nameEnd, int valueStart, int valueEnd) {
    int at = size * STRIDE;
    if (at == offsets.length) {
      offsets = Arrays.copyOf(offsets, offsets.length * 2);
    }
    offsets[at] = name.ordinal();
    offsets[at + 1] = nameStart;
    offsets[at + 2] = nameEnd;
    offsets[at + 3] = valueStart;
    offsets[at + 4] = valueEnd;
    size++;
  }

  /** A copy with only the accepted fields, over the same bytes. */
  public Fields only(IntPredicate accepted) {
    Fields fewer = new Fields(bytes);
    for (int i = 0; i < size; i++) {
      if (accepted.test(i)) {
        fewer.add(name(i), nameStart(i), nameEnd(i), valueStart(i), valueEnd(i));
      }
    }
    return fewer;
  }

  /** The bytes that the offsets refer to; must not be changed. */
  public byte[] bytes() {
    return bytes;
  }

  public int size() {
    return size;
  }

  public FieldName name(int field) {
    return NAMES[offsets[field * STRIDE]];
  }

  public int nameStart(int field) {
    return offsets[field * STRIDE + 1];
  }

  public int nameEnd(int field) {
    return offsets[field * STRIDE + 2];
  }

  public int valueStart(int field) {
    return offsets[field * STRIDE + 3];
  }

  public int valueEnd(int field) {
    return offsets[field * STRIDE + 4];
  }

  public String nameText(int field) {
    return Ascii.string(bytes, nameStart(field), nameEnd(field));
  }

  public String value(int field) {
    return Ascii.string(bytes, valueStart(field), valueEnd(field));
  }

  /** The index of the first field of that name at or after {@code from}; -1 if there is none. */
  public int next(FieldName name, int from) {
    int wanted = name.ordinal();
    for (int i = from; i < size; i++) {
      if (offsets[i * STRIDE] == wanted) {
        return i;
      }
    }
    return -1;
  }

  /** The values of all fields of that name, in order. */
  public List<String> all(FieldName name) {
    List<String> values = new ArrayList<>(2);
    for (int i = next(name, 0); i >= 0; i = next(name, i + 1)) {
      values.add(value(i));
    }
    return values;
  }

  public Optional<String> first(FieldName name) {
    int i = next(name, 0);
    return i < 0 ? Optional.empty() : Optional.of(value(i));
  }
}
