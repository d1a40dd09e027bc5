package dev.gatehouse.common.result;

import java.util.function.Function;

/**
 * The result of a check or a step.
 *
 * @param <T> the value if it passed
 * @param <R> the refusal: what the sender and the log learn
 */
public sealed interface Result<T, R> {

  record Accepted<T, R>(T value) implements Result<T, R> {}

  record Refused<T, R>(R refusal) implements Result<T, R> {}

  static <T, R> Result<T, R> accepted(T value) {
    return new Accepted<>(value);
  }

  static <T, R> Result<T, R> refused(R refusal) {
    return new Refused<>(refusal);
  }

  /** Continues with the value; returns a refusal unchanged. */
  default <U> Result<U, R> then(Function<? super T, Result<U, R>> next) {
    return switch (this) {
      case Accepted<T, R>(T value) -> next.apply(value);
      case Refused<T, R>(R refusal) -> new Refused<>(refusal);
    };
  }
}
