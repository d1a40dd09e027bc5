package dev.gatehouse.common.jose;

import java.util.function.Function;

/** What reading something of a stranger's came to. */
public sealed interface Checked<T> {

  record Passed<T>(T value) implements Checked<T> {}

  /** @param problem for its developer and for logs: ASCII, and nothing of what was sent */
  record Failed<T>(String problem) implements Checked<T> {}

  static <T> Checked<T> passed(T value) {
    return new Passed<>(value);
  }

  static <T> Checked<T> failed(String problem) {
    return new Failed<>(problem);
  }

  /** Goes on with the value; a failure stays what it is. */
  default <U> Checked<U> then(Function<? super T, Checked<U>> next) {
    return switch (this) {
      case Passed<T>(T value) -> next.apply(value);
      case Failed<T>(String problem) -> new Failed<>(problem);
    };
  }
}
