package dev.gatehouse.sp.login;

import dev.gatehouse.sp.codec.FieldReader;
import dev.gatehouse.sp.codec.FieldWriter;

/**
 * The secrets of a login at an OpenID provider that only we know.
 *
 * @param nonce the nonce that the ID token must contain (OpenID Connect Core 3.1.2.1)
 * @param codeVerifier the verifier without which the code cannot be redeemed (RFC 7636, section 4.1)
 */
public record CodeExchange(String nonce, String codeVerifier) {

  static void write(FieldWriter out, CodeExchange exchange) {
    out.text(exchange.nonce());
    out.text(exchange.codeVerifier());
  }

  static CodeExchange read(FieldReader in) {
    return new CodeExchange(in.text(), in.text());
  }

  @Override
  public String toString() {
    return "***";
  }
}
