package dev.gatehouse.gateway.interop;

import dev.gatehouse.common.http.Parameters;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** What browsers posted. */
final class Forms {

  private Forms() {}

  /** The XML of a posted SAMLResponse. */
  static String samlResponse(String body) {
    String base64 = Parameters.parse(body).one("SAMLResponse").orElseThrow();
    return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
  }
}
