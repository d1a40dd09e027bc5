package dev.gatehouse.gateway.formats;

import dev.gatehouse.common.http.Origin;
import java.lang.reflect.Constructor;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Makes values of records from their components, the same ones each time: one with everything, one with as little as possible. */
public final class Examples {

  private static final Instant TIME = Instant.parse("2026-03-04T05:06:07Z");

  private final boolean full;
  private final Map<Class<?>, Function<String, Object>> simple = new HashMap<>();

  Examples(boolean full) {
    this(full, TIME);
  }

  /** @param time near which all times are */
  public Examples(boolean full, Instant time) {
    this.full = full;
    simple.put(String.class, Examples::text);
    simple.put(Object.class, name -> name);
    simple.put(int.class, name -> 7);
    simple.put(Integer.class, name -> 7);
    simple.put(long.class, name -> 700L);
    simple.put(Long.class, name -> 700L);
    simple.put(boolean.class, name -> full);
    simple.put(Boolean.class, name -> full);
    simple.put(byte[].class, name -> new byte[] {1, 2, 3});
    simple.put(Instant.class, name -> time.plusMillis(name.hashCode() % 1000));
    simple.put(Duration.class, name -> Duration.ofSeconds(90));
    simple.put(InetAddress.class, name -> InetAddress.ofLiteral("192.0.2.7"));
    simple.put(Origin.class, name -> new Origin("https", "app.example", 443));
    simple.put(URI.class, name -> URI.create("https://app.example/" + name));
  }

  /** The claims parameter of OpenID Connect is parsed, and a target of a login is a path. */
  private static String text(String name) {
    return switch (name) {
      case "json" -> "{\"userinfo\":{\"name\":null}}";
      case "pathAndQuery", "path", "location", "local" -> "/" + name;
      default -> name;
    };
  }

  /** @param name that of the component, which texts repeat */
  public Object of(Type type, String name) {
    return switch (type) {
      case Class<?> plain -> ofClass(plain, name);
      case ParameterizedType generic -> ofGeneric((Class<?>) generic.getRawType(), generic.getActualTypeArguments(), name);
      case GenericArrayType array -> throw new IllegalArgumentException("no example of " + array);
      default -> throw new IllegalArgumentException("no example of " + type);
    };
  }

  private Object ofGeneric(Class<?> type, Type[] of, String name) {
    if (type == Optional.class) {
      return full ? Optional.of(of(of[0], name)) : Optional.empty();
    }
    if (type == List.class || type == Collection.class) {
      return full ? List.of(of(of[0], name)) : List.of();
    }
    if (type == Set.class) {
      return full ? Set.of(of(of[0], name)) : Set.of();
    }
    if (type == Map.class) {
      return full ? Map.of(of(of[0], name), of(of[1], name)) : Map.of();
    }
    return ofClass(type, name);
  }

  private Object ofClass(Class<?> type, String name) {
    Function<String, Object> known = simple.get(type);
    if (known != null) {
      return known.apply(name);
    }
    if (type.isEnum()) {
      Object[] constants = type.getEnumConstants();
      return constants[full ? constants.length - 1 : 0];
    }
    if (type.isSealed()) {
      Class<?>[] permitted = type.getPermittedSubclasses();
      return ofClass(permitted[full ? permitted.length - 1 : 0], name);
    }
    return type.isRecord() ? ofRecord(type) : ofParameters(type);
  }

  private Object ofRecord(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    Object[] values = Arrays.stream(components).map(one -> of(one.getGenericType(), one.getName())).toArray();
    try {
      return make(type.getDeclaredConstructor(Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new)), values);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The names of parameters are not known everywhere. */
  private Object ofParameters(Class<?> type) {
    Constructor<?>[] constructors = type.getDeclaredConstructors();
    if (type.isInterface() || type.getName().startsWith("java.") || constructors.length != 1) {
      throw new IllegalArgumentException("no example of " + type.getName() + ": say how it is made");
    }
    Type[] types = constructors[0].getGenericParameterTypes();
    Object[] values = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      values[i] = of(types[i], "parameter" + i);
    }
    return make(constructors[0], values);
  }

  private static Object make(Constructor<?> constructor, Object... values) {
    try {
      constructor.setAccessible(true);
      return constructor.newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("no example of " + constructor.getDeclaringClass().getName() + ": say how it is made", e);
    }
  }
}
