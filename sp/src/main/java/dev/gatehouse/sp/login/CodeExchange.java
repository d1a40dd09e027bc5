package dev.gatehouse.sp.login;

import dev.gatehouse.common.codec.PackedReader;
import dev.gatehouse.common.codec.PackedWriter;


/**
 * The secrets of a login at an OpenID provider that only we know.
 *
 * @param nonce the nonce that the ID token must contain (OpenID Connect Core 3.1.2.1)
 * @param codeVerifier the verifier without which the code cannot be redeemed (RFC 7636, section 4.1)
 */
public record CodeExchange(String nonce, String codeVerifier) {

  static void write(PackedWriter out, CodeExchange exchange) {
    out.text(exchange.nonce());
    out.text(exchange.codeVerifier());
  }

  static CodeExchange read(PackedReader in) {
    return new CodeExchange(in.text(), in.text());
  }

  @Override
  public String toString() {
    return "***";
  }
}
