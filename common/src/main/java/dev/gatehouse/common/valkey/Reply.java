package dev.gatehouse.common.valkey;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The array that a script returned. */
record Reply(List<? extends @Nullable Object> parts) {

  long number(int index) {
    if (parts.get(index) instanceof Long number) {
      return number;
    }
    throw new IllegalStateException("Not a number at " + index);
  }

  int size() {
    return parts.size();
  }

  boolean isDone() {
    return number(0) == 1;
  }

  byte[] bytes(int index) {
    return optional(index).orElseThrow(() -> new IllegalStateException("Nothing at " + index));
  }

  /** Returns the bytes; empty where the script returned false or fewer parts. */
  Optional<byte[]> optional(int index) {
    return index < parts.size() && parts.get(index) instanceof byte[] bytes ? Optional.of(bytes) : Optional.empty();
  }
}
