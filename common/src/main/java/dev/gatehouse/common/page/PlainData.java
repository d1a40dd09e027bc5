package dev.gatehouse.common.page;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Converts a page's model to data that a template may use: texts, numbers, booleans, lists and maps. Records become maps of their
 * components, an empty Optional is omitted, an Instant becomes {@code iso} and {@code text}, anything else its {@code toString()}.
 * Expressions therefore never contain an object with behaviour.
 */
final class PlainData {

  private static final ClassValue<RecordComponent[]> COMPONENTS =
      new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
          RecordComponent[] components = type.getRecordComponents();
          for (RecordComponent component : components) {
            // A page's model may be a private record of its endpoint.
            component.getAccessor().setAccessible(true);
          }
          return components;
        }
      };

  /** The components of a record. A template that asks for anything else has a mistake: without this, it would be shown as absent. */
  private static final class Components extends HashMap<String, Object> {
    private static final long serialVersionUID = 1;
    private final transient Class<?> type;

    Components(Class<?> type) {
      this.type = type;
    }

    @Override
    public @Nullable Object get(Object key) {
      Object value = super.get(key);
      if (value == null && Stream.of(COMPONENTS.get(type)).noneMatch(component -> component.getName().equals(key))) {
        throw new IllegalArgumentException("The record " + type.getName() + " has no component " + key + ".");
      }
      return value;
    }
  }

  private final DateTimeFormatter times;

  private PlainData(Language language) {
    this.times =
        DateTimeFormatter.ofLocalizedDateTime(FormatStyle.MEDIUM, FormatStyle.SHORT)
            .withLocale(language.locale())
            .withZone(ZoneOffset.UTC);
  }

  static Map<String, Object> of(Map<String, Object> model, Language language) {
    Map<String, Object> plain = new HashMap<>();
    PlainData data = new PlainData(language);
    model.forEach((name, value) -> put(plain, name, data.plain(value)));
    return plain;
  }

  private @Nullable Object plain(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case String text -> text;
      case Number number -> number;
      case Boolean bool -> bool;
      case Optional<?> optional -> plain(optional.orElse(null));
      case Instant instant -> Map.of("iso", iso(instant), "text", times.format(instant) + " UTC");
      case Enum<?> constant -> constant.name();
      case Record row -> map(row);
      case Map<?, ?> map -> map(map);
      case Collection<?> list -> list(list);
      default -> value.toString();
    };
  }

  private static String iso(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }

  private Map<String, Object> map(Record row) {
    Map<String, Object> map = new Components(row.getClass());
    for (RecordComponent component : COMPONENTS.get(row.getClass())) {
      try {
        put(map, component.getName(), plain(component.getAccessor().invoke(row)));
      } catch (IllegalAccessException | InvocationTargetException e) {
        throw new IllegalStateException("cannot read " + component, e);
      }
    }
    return map;
  }

  private Map<String, Object> map(Map<?, ?> from) {
    Map<String, Object> map = new java.util.LinkedHashMap<>();
    from.forEach((key, value) -> put(map, String.valueOf(key), plain(value)));
    return map;
  }

  private List<Object> list(Collection<?> from) {
    List<Object> list = new ArrayList<>(from.size());
    for (Object element : from) {
      Object plain = plain(element);
      if (plain != null) {
        list.add(plain);
      }
    }
    return list;
  }

  private static void put(Map<String, Object> map, String name, @Nullable Object value) {
    if (value != null) {
      map.put(name, value);
    }
  }
}
