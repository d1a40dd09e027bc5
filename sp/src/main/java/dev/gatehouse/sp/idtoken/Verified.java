package dev.gatehouse.sp.idtoken;

/** The result of a verification. */
public sealed interface Verified<T> {

  record Accepted<T>(T value) implements Verified<T> {}

  record Refused<T>(OpenIdRefusal refusal) implements Verified<T> {}

  static <T> Verified<T> refused(OpenIdRefusal.Reason reason, String detail) {
    return new Refused<>(new OpenIdRefusal(reason, detail));
  }
}
