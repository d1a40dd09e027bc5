package dev.gatehouse.idp.edge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Our paths and the ambiguous ones, compared with these patterns. */
class RoutesTest {

  private static final Pattern PATH = Pattern.compile("/realms/([a-z0-9-]{1,63})(?:/([a-z0-9/._-]{0,100}))?");
  private static final Pattern AMBIGUOUS = Pattern.compile("[%;\\\\\\x00-\\x20\\x7f]|//|/\\.{1,2}(?:/|\\z)");

  private static final String[] PIECES = {
    "/", "//", "/realms/", "realms", "demo", "a".repeat(63), "a".repeat(64), "b".repeat(100), "b".repeat(101), "saml/sso",
    ".", "..", "/.", "/..", "/../", "/./", "...", "%2e", ";x=1", "\\", "\0", "\n", " ", "\u007f", "\u0085", "\u2028", "A", "_",
    "-", "0", "ä"
  };

  @Test
  void tellsPathsAsThePatternsDo() {
    Random random = new Random(3);
    int ours = 0;
    int ambiguous = 0;
    for (int i = 0; i < 200_000; i++) {
      StringBuilder path = new StringBuilder(random.nextInt(3) == 0 ? "" : "/realms/");
      for (int piece = random.nextInt(5); piece > 0; piece--) {
        path.append(PIECES[random.nextInt(PIECES.length)]);
      }
      ours += checked(path.toString()) ? 1 : 0;
      ambiguous += Routes.isAmbiguous(path.toString()) ? 1 : 0;
    }
    assertThat(ours).isGreaterThan(1_000);
    assertThat(ambiguous).isBetween(1_000, 199_000);
  }

  @Test
  void findsMetadataAtTheRoot() {
    assertThat(Routes.target("/.well-known/openid-configuration/realms/demo"))
        .contains(new Routes.Target("demo", ".well-known/openid-configuration"));
    assertThat(Routes.target("/.well-known/openid-configuration/realms/demo/x")).isEmpty();
    assertThat(Routes.target("/.well-known/other/realms/demo")).isEmpty();
  }

  private static boolean checked(String path) {
    assertThat(Routes.isAmbiguous(path)).as(path).isEqualTo(!path.startsWith("/") || AMBIGUOUS.matcher(path).find());
    Matcher matcher = PATH.matcher(path);
    if (!matcher.matches()) {
      assertThat(Routes.target(path)).as(path).isEmpty();
      return false;
    }
    String rest = matcher.group(2);
    assertThat(Routes.target(path)).contains(new Routes.Target(matcher.group(1), rest == null ? "" : rest));
    return true;
  }
}
