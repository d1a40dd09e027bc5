package dev.gatehouse.common.jose;

import java.util.function.Function;

/** The result of reading something that a stranger sent. */
public sealed interface Checked<T> {

  record Passed<T>(T value) implements Checked<T> {}

  /** @param problem for the sender's developer and for logs: ASCII, without any text that was sent */
  record Failed<T>(String problem) implements Checked<T> {}

  static <T> Checked<T> passed(T value) {
    return new Passed<>(value);
  }

  static <T> Checked<T> failed(String problem) {
    return new Failed<>(problem);
  }

  /** Continues with the value; a failure stays unchanged. */
  default <U> Checked<U> then(Function<? super T, Checked<U>> next) {
    return switch (this) {
      case Passed<T>(T value) -> next.apply(value);
      case Failed<T>(String problem) -> new Failed<>(problem);
    };
  }
}
