package dev.gatehouse.idp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.http.Origin;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Hosts of requests are read as a regular expression says. */
class AddressedOriginTest {

  private static final Pattern AUTHORITY =
      Pattern.compile("([A-Za-z0-9._-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}])(?::([0-9]{1,5}))?");

  private static final String[] PIECES = {
    "idp", "Example", ".", "-", "_", "org", ":", "0", "1", "80", "443", "8443", "65535", "65536", "99999", "100000", "[", "]", "::1",
    "fe80:", "F", "g", " ", "@", "/", "\u0661", "\u00e4", "\n", "%", "a".repeat(120), "0:".repeat(20)
  };

  private static Optional<Origin> expected(String scheme, String authority) {
    Matcher matcher = AUTHORITY.matcher(authority);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String sent = matcher.group(2);
    int port = sent != null ? Integer.parseInt(sent) : scheme.equals("https") ? 443 : 80;
    return port < 1 || port > 65535 ? Optional.empty() : Optional.of(new Origin(scheme, matcher.group(1), port));
  }

  private static boolean checked(String scheme, String authority) {
    Optional<Origin> origin = AddressedOrigin.origin(scheme, authority);
    assertThat(origin).as("%s at %s", authority, scheme).isEqualTo(expected(scheme, authority));
    return origin.isPresent();
  }

  @Test
  void readsWhatTheExpressionAccepts() {
    Random random = new Random(3);
    int accepted = 0;
    for (int i = 0; i < 200_000; i++) {
      StringBuilder authority = new StringBuilder();
      for (int pieces = random.nextInt(6); pieces > 0; pieces--) {
        authority.append(PIECES[random.nextInt(PIECES.length)]);
      }
      accepted += checked(random.nextBoolean() ? "https" : "http", authority.toString()) ? 1 : 0;
    }
    assertThat(accepted).isBetween(1_000, 199_000);
  }

  @Test
  void limitsAreThoseOfTheExpression() {
    for (String authority :
        new String[] {
          "", ":", ":80", "a", "a:", "a:0", "a:00080", "a:000080", "a".repeat(253), "a".repeat(254), "[", "[]", "[:]", "[::]", "[::",
          "::1", "[::1]:", "[::1]:443", "[::1]443", "[::1]]", "[" + "0".repeat(45) + "]", "[" + "0".repeat(46) + "]", "a:1:2", "a::1"
        }) {
      checked("https", authority);
      checked("http", authority);
    }
  }
}
