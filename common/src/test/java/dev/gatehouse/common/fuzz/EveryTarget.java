package dev.gatehouse.common.fuzz;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The fuzz target that is all targets of a module: the first byte of an input chooses among them. */
public final class EveryTarget {

  /** The system property with the names of the targets' classes, separated by commas. */
  static final String TARGETS = "gatehouse.fuzz.targets";

  private EveryTarget() {}

  /** Returns the input that gives {@code bytes} to the target at {@code index}. */
  static byte[] input(int index, byte[] bytes) {
    byte[] input = new byte[bytes.length + 1];
    input[0] = (byte) index;
    System.arraycopy(bytes, 0, input, 1, bytes.length);
    return input;
  }

  /** Writes an input that breaks a target to {@code crash-of-TARGET} in the working directory, without the first byte. */
  public static void fuzzerTestOneInput(byte[] input) throws Throwable {
    if (input.length == 0) {
      return;
    }
    int index = Byte.toUnsignedInt(input[0]) % Named.METHODS.size();
    byte[] bytes = Arrays.copyOfRange(input, 1, input.length);
    try {
      Named.METHODS.get(index).invokeExact(bytes);
    } catch (Throwable e) {
      keep(Named.CLASSES.get(index), bytes);
      throw e;
    }
  }

  private static void keep(Class<?> target, byte[] bytes) throws IOException {
    Files.write(Path.of("crash-of-" + target.getSimpleName()), bytes);
  }

  /** The targets of the property, which only the process of Jazzer has. */
  private static final class Named {

    static final List<Class<?>> CLASSES = Stream.of(System.getProperty(TARGETS, "").split(",")).<Class<?>>map(Named::named).toList();
    static final List<MethodHandle> METHODS = CLASSES.stream().map(Named::method).toList();

    private static Class<?> named(String name) {
      try {
        return Class.forName(name);
      } catch (ClassNotFoundException e) {
        throw new IllegalArgumentException(TARGETS + " names " + name + ", which is no class", e);
      }
    }

    private static MethodHandle method(Class<?> target) {
      try {
        return MethodHandles.publicLookup()
            .findStatic(target, "fuzzerTestOneInput", MethodType.methodType(void.class, byte[].class));
      } catch (ReflectiveOperationException e) {
        throw new IllegalArgumentException(target + " is no fuzz target", e);
      }
    }
  }
}
