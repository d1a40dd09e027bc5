package dev.gatehouse.gateway.bearer;

/** The result of verifying a token. */
public sealed interface TokenLookup {

  record Valid(TokenHolder holder) implements TokenLookup {}

  record Refused(TokenRefusal refusal) implements TokenLookup {}

  static TokenLookup refused(TokenRefusal.Reason reason, String detail) {
    return new Refused(new TokenRefusal(reason, detail));
  }
}
