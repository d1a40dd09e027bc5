package dev.gatehouse.gateway.message;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * The fields of a head, as places in its bytes: nothing is copied until somebody asks. Values are without surrounding
 * white space. Not shared between threads while it is being filled; read-only afterwards.
 */
public final class Fields {

  private static final FieldName[] NAMES = FieldName.values();
  private static final int STRIDE = 5;

  private final byte[] bytes;
  private int[] places = new int[STRIDE * 16];
  private int size;

  Fields(byte[] bytes) {
    this.bytes = bytes;
  }

  void add(FieldName name, int nameStart, int nameEnd, int valueStart, int valueEnd) {
    int at = size * STRIDE;
    if (at == places.length) {
      places = Arrays.copyOf(places, places.length * 2);
    }
    places[at] = name.ordinal();
    places[at + 1] = nameStart;
    places[at + 2] = nameEnd;
    places[at + 3] = valueStart;
    places[at + 4] = valueEnd;
    size++;
  }

  /** The same without those that are not to be kept, over the same bytes. */
  public Fields only(IntPredicate kept) {
    Fields fewer = new Fields(bytes);
    for (int i = 0; i < size; i++) {
      if (kept.test(i)) {
        fewer.add(name(i), nameStart(i), nameEnd(i), valueStart(i), valueEnd(i));
      }
    }
    return fewer;
  }

  /** The bytes that the places lie in; not to be changed. */
  public byte[] bytes() {
    return bytes;
  }

  public int size() {
    return size;
  }

  public FieldName name(int field) {
    return NAMES[places[field * STRIDE]];
  }

  public int nameStart(int field) {
    return places[field * STRIDE + 1];
  }

  public int nameEnd(int field) {
    return places[field * STRIDE + 2];
  }

  public int valueStart(int field) {
    return places[field * STRIDE + 3];
  }

  public int valueEnd(int field) {
    return places[field * STRIDE + 4];
  }

  public String nameText(int field) {
    return Ascii.string(bytes, nameStart(field), nameEnd(field));
  }

  public String value(int field) {
    return Ascii.string(bytes, valueStart(field), valueEnd(field));
  }

  /** The position of the first field of that name at or after {@code from}; -1 where there is none. */
  public int next(FieldName name, int from) {
    int wanted = name.ordinal();
    for (int i = from; i < size; i++) {
      if (places[i * STRIDE] == wanted) {
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
