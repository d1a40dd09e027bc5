package dev.gatehouse.common.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Header fields in order; names are compared without case (RFC 9110, section 5). Values with control characters are
 * refused, so that no reply can be split.
 */
public final class Headers {

  /** One field as sent. */
  public record Field(String name, String value) {
    public Field {
      requireClean(name);
      requireClean(value);
    }

    private static void requireClean(String text) {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if ((c < 0x20 && c != '\t') || c == 0x7f) {
          throw new IllegalArgumentException("a header field may not contain control characters");
        }
      }
    }
  }

  private static final Headers EMPTY = new Headers(List.of());

  private final List<Field> fields;

  private Headers(List<Field> fields) {
    this.fields = fields;
  }

  public static Headers empty() {
    return EMPTY;
  }

  public static Headers of(List<Field> fields) {
    return new Headers(List.copyOf(fields));
  }

  public static Headers of(String name, String value) {
    return new Headers(List.of(new Field(name, value)));
  }

  /** Returns these fields with one more at the end. */
  public Headers and(String name, String value) {
    List<Field> more = new ArrayList<>(fields.size() + 1);
    more.addAll(fields);
    more.add(new Field(name, value));
    return new Headers(List.copyOf(more));
  }

  public List<Field> fields() {
    return fields;
  }

  public Optional<String> first(String name) {
    for (Field field : fields) {
      if (field.name().equalsIgnoreCase(name)) {
        return Optional.of(field.value());
      }
    }
    return Optional.empty();
  }

  public List<String> all(String name) {
    return fields.stream().filter(f -> f.name().equalsIgnoreCase(name)).map(Field::value).toList();
  }

  /** Returns the names only: values may be secret. */
  @Override
  public String toString() {
    return fields.stream().map(Field::name).toList().toString();
  }
}
