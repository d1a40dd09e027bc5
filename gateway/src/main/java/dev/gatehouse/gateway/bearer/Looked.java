package dev.gatehouse.gateway.bearer;

/** What looking at a token came to. */
public sealed interface Looked {

  record Counts(TokenHolder holder) implements Looked {}

  record Refused(TokenRefusal refusal) implements Looked {}

  static Looked refused(TokenRefusal.Reason reason, String detail) {
    return new Refused(new TokenRefusal(reason, detail));
  }
}
