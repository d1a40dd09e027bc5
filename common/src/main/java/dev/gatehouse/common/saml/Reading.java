package dev.gatehouse.common.saml;

/** The result of reading a message: the message, or the reason for its refusal. */
public sealed interface Reading<T> {
  record Accepted<T>(T value) implements Reading<T> {}

  record Refused<T>(SamlRefusal refusal) implements Reading<T> {}
}
