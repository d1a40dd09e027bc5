package dev.gatehouse.gateway.bearer;

/** What looking at a token came to. */
public sealed interface TokenLookup {

  record Counts(TokenHolder holder) implements TokenLookup {}

  record Refused(TokenRefusal refusal) implements TokenLookup {}

  static TokenLookup refused(TokenRefusal.Reason reason, String detail) {
    return new Refused(new TokenRefusal(reason, detail));
  }
}
