package dev.gatehouse.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 56, by generated paths: what is accepted means the same to every reader. */
class RequestPathTest {

  private static final List<String> PIECES =
      List.of(
          "/", "/", "/", "a", "B", "manager", ".", "..", "...", "%2e", "%2E%2e", "%25", "%", "%2", "%32", "%65", "%66",
          "%2f", "%2F", "%5c", "\\", ";", "%3b", "%3B", ";x=1", "%c3%a4", "%c0%ae", "%e0%80%af", "%00", "%0a", "%20",
          "~", "%7e", "%41", "25", "2e", "2f", "+", ":", "@", "#", "%23", "%3f", "%ff");

  private static String generate(Random random) {
    StringBuilder path = new StringBuilder("/");
    for (int i = random.nextInt(9); i > 0; i--) {
      path.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return path.toString();
  }

  private static Optional<RequestPath> of(String path) {
    byte[] bytes = path.getBytes(StandardCharsets.ISO_8859_1);
    return RequestPath.of(bytes, 0, bytes.length);
  }

  /** As a lenient app unescapes: what is no escape stays. */
  private static String unescaped(String path) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < path.length(); i++) {
      boolean escape = path.charAt(i) == '%' && i + 2 < path.length() && path.substring(i + 1, i + 3).matches("[0-9A-Fa-f]{2}");
      out.append(escape ? (char) Integer.parseInt(path.substring(i + 1, i + 3), 16) : path.charAt(i));
      i += escape ? 2 : 0;
    }
    return out.toString();
  }

  private static void assertUnambiguous(String text, String shown) {
    assertThat(text).as(shown).startsWith("/").doesNotContain("//").doesNotContain("\\").doesNotContain("\0", "\n", "\r");
    for (String segment : text.split("/")) {
      assertThat(segment.split(";", -1)[0]).as(shown).isNotIn(".", "..");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 20261121})
  void whatIsAcceptedIsNormalAndHidesNothing(long seed) {
    Random random = new Random(seed);
    int accepted = 0;
    for (int i = 0; i < 50_000; i++) {
      String sent = generate(random);
      Optional<RequestPath> normalised = of(sent);
      if (normalised.isEmpty()) {
        continue;
      }
      accepted++;
      String value = normalised.get().value();
      String shown = "seed " + seed + ": " + sent + " -> " + value;
      // Whether it is known to be simple may differ: a path that had to be normalised counts as not simple.
      assertThat(of(value).map(RequestPath::value)).as(shown).contains(value);
      assertThat(of(value).map(RequestPath::withoutParameters)).as(shown).contains(normalised.get().withoutParameters());
      String once = unescaped(value);
      assertUnambiguous(value, shown);
      assertUnambiguous(once, shown);
      assertUnambiguous(unescaped(once), shown);
      assertThat(unescaped(once).chars().filter(c -> c == '/').count())
          .as(shown)
          .isEqualTo(value.chars().filter(c -> c == '/').count());
      assertThat(normalised.get().withoutParameters()).as(shown).doesNotContain(";").doesNotContain("%3B");
    }
    assertThat(accepted).as("seed " + seed).isGreaterThan(5_000);
  }
}
