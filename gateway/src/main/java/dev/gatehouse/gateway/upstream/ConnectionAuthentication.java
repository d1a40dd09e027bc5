package dev.gatehouse.gateway.upstream;

import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import java.util.Locale;
import java.util.Set;

/**
 * Schemes that authenticate a connection instead of a request: NTLM, and Negotiate (RFC 4559, section 6). The app
 * attributes every later request on such a connection to the same person, so no other request may use it.
 */
public final class ConnectionAuthentication {

  private static final Set<String> SCHEMES = Set.of("ntlm", "negotiate");

  private ConnectionAuthentication() {}

  /** Returns whether a request with these fields authenticates its connection. */
  public static boolean isIn(Fields request) {
    for (int i = request.next(FieldName.AUTHORIZATION, 0); i >= 0; i = request.next(FieldName.AUTHORIZATION, i + 1)) {
      String[] scheme = request.value(i).split("[ \t]", 2);
      if (SCHEMES.contains(scheme[0].toLowerCase(Locale.ROOT))) {
        return true;
      }
    }
    return false;
  }
}
