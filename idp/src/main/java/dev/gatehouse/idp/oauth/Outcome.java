package dev.gatehouse.idp.oauth;

import java.util.function.Function;

/** The result of a check or a step: a value, or the error for the client. */
public sealed interface Outcome<T> {

  record Passed<T>(T value) implements Outcome<T> {}

  record Refused<T>(OAuthError error) implements Outcome<T> {}

  static <T> Outcome<T> passed(T value) {
    return new Passed<>(value);
  }

  static <T> Outcome<T> refused(OAuthError.Code code, String description) {
    return new Refused<>(OAuthError.of(code, description));
  }

  /** Continues with the value; returns a refusal unchanged. */
  default <U> Outcome<U> then(Function<? super T, Outcome<U>> next) {
    return switch (this) {
      case Passed<T>(T value) -> next.apply(value);
      case Refused<T>(OAuthError error) -> new Refused<>(error);
    };
  }
}
