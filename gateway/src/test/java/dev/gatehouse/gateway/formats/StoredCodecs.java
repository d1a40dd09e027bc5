package dev.gatehouse.gateway.formats;

import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.PackedCodec;
import dev.gatehouse.common.store.ValueCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds all codecs of stored records in the code: classes, constants, and records that are written as JSON. */
final class StoredCodecs {

  /** A codec and the class of its values. */
  record Found(String name, ValueCodec<Object> codec, Type type) {}

  private static final Pattern JSON = Pattern.compile("new JsonCodec<>\\(([\\w.]+)\\.class\\)");

  /** What stands between codecs and values, and what nobody reads. */
  private static final Set<String> NONE =
      Set.of("dev.gatehouse.common.store.PackedCodec", "dev.gatehouse.common.store.JsonCodec", "dev.gatehouse.sp.FormerStores");

  private final TreeMap<String, Found> found = new TreeMap<>();

  static List<Found> all() {
    StoredCodecs codecs = new StoredCodecs();
    for (String module : List.of("common", "sp", "idp", "gateway")) {
      Path sources = Path.of("..", module, "src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(file -> codecs.look(sources, file));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return List.copyOf(codecs.found.values());
  }

  private void look(Path sources, Path file) {
    try {
      String text = Files.readString(file);
      String name = sources.relativize(file).toString().replace(".java", "").replace('/', '.');
      if (!text.contains("Codec") || NONE.contains(name) || name.endsWith("package-info")) {
        return;
      }
      Class<?> type = Class.forName(name, false, getClass().getClassLoader());
      look(type);
      Matcher json = JSON.matcher(text);
      while (json.find()) {
        Class<?> value = resolve(type, text, json.group(1));
        add("json." + shortName(value), new JsonCodec<>(value), value);
      }
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException(file.toString(), e);
    }
  }

  private void look(Class<?> type) throws ReflectiveOperationException {
    boolean isCodec = ValueCodec.class.isAssignableFrom(type);
    if (isCodec && !type.isInterface() && !Modifier.isAbstract(type.getModifiers())) {
      Constructor<?> constructor = type.getDeclaredConstructor();
      constructor.setAccessible(true);
      add(shortName(type), (ValueCodec<?>) constructor.newInstance(), valueType(type));
    }
    if (!isCodec) {
      for (Field field : type.getDeclaredFields()) {
        if (Modifier.isStatic(field.getModifiers()) && ValueCodec.class.isAssignableFrom(field.getType())) {
          field.setAccessible(true);
          ValueCodec<?> codec = (ValueCodec<?>) field.get(null);
          if (!(codec instanceof JsonCodec<?>)) {
            add(shortName(type), codec, ((ParameterizedType) field.getGenericType()).getActualTypeArguments()[0]);
          }
        }
      }
      for (Method method : type.getDeclaredMethods()) {
        if (Modifier.isStatic(method.getModifiers()) && ValueCodec.class.isAssignableFrom(method.getReturnType())) {
          method.setAccessible(true);
          Object[] names = Arrays.stream(method.getParameterTypes()).map(Class::getSimpleName).toArray();
          add(
              shortName(type), (ValueCodec<?>) method.invoke(null, names),
              ((ParameterizedType) method.getGenericReturnType()).getActualTypeArguments()[0]);
        }
      }
    }
    for (Class<?> nested : type.getDeclaredClasses()) {
      look(nested);
    }
  }

  @SuppressWarnings("unchecked") // The value is made by its type.
  private void add(String name, ValueCodec<?> codec, Type type) {
    found.put(name, new Found(name, (ValueCodec<Object>) codec, type));
  }

  private static Type valueType(Class<?> codec) {
    Stream<Type> supers = Stream.concat(Stream.of(codec.getGenericSuperclass()), Arrays.stream(codec.getGenericInterfaces()));
    return supers
        .filter(ParameterizedType.class::isInstance)
        .map(ParameterizedType.class::cast)
        .filter(type -> type.getRawType() == ValueCodec.class || type.getRawType() == PackedCodec.class)
        .map(type -> type.getActualTypeArguments()[0])
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("values of " + codec.getName()));
  }

  private static String shortName(Class<?> type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }

  /** Finds the class that a file means by its name: nested, imported, of the same package or of java.lang. */
  private static Class<?> resolve(Class<?> within, String text, String name) {
    Matcher imported = Pattern.compile("import ([\\w.]+\\." + Pattern.quote(name.split("\\.")[0]) + ");").matcher(text);
    String base = imported.find() ? imported.group(1) + name.substring(name.split("\\.")[0].length()) : name;
    return Stream.of(within.getName() + "$" + name, base, within.getPackageName() + "." + name, "java.lang." + name)
        .flatMap(candidate -> Stream.of(candidate, nested(candidate)))
        .flatMap(StoredCodecs::find)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(within.getName() + " means which " + name + "?"));
  }

  private static String nested(String name) {
    int last = name.lastIndexOf('.');
    return last < 0 ? name : name.substring(0, last) + "$" + name.substring(last + 1);
  }

  private static Stream<Class<?>> find(String name) {
    try {
      return Stream.of(Class.forName(name, false, StoredCodecs.class.getClassLoader()));
    } catch (ClassNotFoundException e) {
      return Stream.empty();
    }
  }
}
