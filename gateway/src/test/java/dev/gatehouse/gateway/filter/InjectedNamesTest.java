package dev.gatehouse.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Generated spellings of injected parameters and cookies, read as lenient apps do: ours is there once, and no other. */
class InjectedNamesTest {

  private static final List<String> NAMES = List.of("uid", "user.name", "A_1");
  private static final Pattern ESCAPE = Pattern.compile("%u([0-9a-fA-F]{4})|%([0-9a-fA-F]{2})");

  private final LookalikeNames alike = new LookalikeNames(NAMES);

  private static String spelled(Random random) {
    String name = NAMES.get(random.nextInt(NAMES.size()));
    StringBuilder text = new StringBuilder();
    for (char plain : name.toCharArray()) {
      char c = random.nextBoolean() ? Character.toUpperCase(plain) : Character.toLowerCase(plain);
      text.append(
          switch (random.nextInt(5)) {
            case 0 -> String.format("%%%02x", (int) c);
            case 1 -> String.format("%%25%02X", (int) c);
            case 2 -> String.format("%%u%04x", (int) c);
            default -> String.valueOf(c);
          });
    }
    return text + List.of("", "", "[]", "%5b1%5d", "%00", "%20").get(random.nextInt(6));
  }

  private static String decoded(MatchResult escape) {
    String hex = Optional.ofNullable(escape.group(1)).orElseGet(() -> escape.group(2));
    return String.valueOf((char) Integer.parseInt(hex, 16));
  }

  /** As some app somewhere: decoded until nothing changes, without case, up to a bracket or a zero byte. */
  private static String lenient(String name) {
    String text = name;
    for (int i = 0; i < 3; i++) {
      text = ESCAPE.matcher(text).replaceAll(found -> Matcher.quoteReplacement(decoded(found)));
    }
    return text.split("[\\[\0]", 2)[0].strip().toLowerCase(Locale.ROOT).replace('.', '_');
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 20261122})
  void ofAParameterOursIsTheOnlyOne(long seed) {
    Random random = new Random(seed);
    QueryEdits edits =
        new QueryEdits(alike, NAMES.stream().map(name -> new HeaderEdits.Edit(name, "ours")).toList());
    for (int i = 0; i < 5_000; i++) {
      StringBuilder query = new StringBuilder();
      int kept = 0;
      for (int p = random.nextInt(5); p > 0; p--) {
        boolean own = random.nextInt(3) == 0;
        kept += own ? 1 : 0;
        query.append(own ? "other=kept" : spelled(random) + "=forged").append(random.nextBoolean() ? '&' : ';');
      }
      byte[] target = Ascii.bytes("?" + query);
      HeadBuffer out = new HeadBuffer();
      edits.write(target, 0, target.length, out);
      String shown = "seed " + seed + ": " + query + " became " + out.text();
      List<String> pairs = Arrays.asList(out.text().substring(1).split("[&;]"));
      assertThat(out.text()).as(shown).startsWith("?").doesNotContain("forged");
      assertThat(pairs).as(shown).filteredOn("other=kept"::equals).hasSize(kept);
      for (String name : NAMES) {
        assertThat(pairs).as(shown).filteredOn(pair -> lenient(pair.split("=", 2)[0]).equals(lenient(name))).containsExactly(name + "=ours");
      }
    }
  }

  /** How many of 2,000 such parameters reach the app. */
  private int kept(String parameter) {
    byte[] target = Ascii.bytes("?" + (parameter + "&").repeat(2000));
    HeadBuffer out = new HeadBuffer();
    new QueryEdits(alike, List.of()).write(target, 0, target.length, out);
    return out.text().split(Pattern.quote(parameter), -1).length - 1;
  }

  @Test
  void ofNamesThatMustBeDecodedOnlySomeAreReadAndTheRestIsRemoved() {
    assertThat(kept("%42=1")).isEqualTo(8 * 1024 / (32 + 3));
    assertThat(kept("ui%42=1")).isEqualTo(8 * 1024 / (32 + 5));
    assertThat(kept("other=1")).as("a plain name").isEqualTo(2000);
    assertThat(kept("ids%5B%5D=1")).as("a name that no injected one begins like").isEqualTo(2000);
    assertThat(kept("uid=1")).isZero();
  }

  @Test
  void aLongNameThatMustBeDecodedIsRemoved() {
    byte[] target = Ascii.bytes("?a=1&%42" + "x".repeat(8 * 1024) + "=2&b=3");
    HeadBuffer out = new HeadBuffer();
    new QueryEdits(alike, List.of()).write(target, 0, target.length, out);
    assertThat(out.text()).isEqualTo("?a=1&b=3");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 20261122})
  void ofACookieOursIsTheOnlyOneAndNoSessionOfOursIsThere(long seed) {
    Random random = new Random(seed);
    RequestFieldsFilter filter = new RequestFieldsFilter(new StrippedNames(List.of()));
    HeaderEdits edits =
        HeaderEdits.of(
            List.of(), Optional.empty(), Optional.of(new CookieEdits(alike, NAMES.stream().map(n -> n + "=ours").toList())));
    for (int i = 0; i < 5_000; i++) {
      StringBuilder head = new StringBuilder("GET / HTTP/1.1\r\nHost: app.localhost\r\n");
      for (int f = random.nextInt(3); f > 0; f--) {
        List<String> pairs = new ArrayList<>();
        for (int p = 1 + random.nextInt(4); p > 0; p--) {
          pairs.add(
              switch (random.nextInt(4)) {
                case 0 -> "other=kept";
                case 1 -> List.of("gh_app=secret", "\"gh_app\"=secret", "$gh_app=secret", "__Host-gh_app=secret").get(random.nextInt(4));
                case 2 -> "quoted=\"";
                default -> spelled(random) + "=forged";
              });
        }
        head.append("Cookie: ").append(String.join(List.of("; ", ";", ", ", ",").get(random.nextInt(4)), pairs)).append("\r\n");
      }
      byte[] bytes = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
      RequestHead parsed = (RequestHead) new RequestParser(HeadLimits.standard()).parse(bytes);
      HeadBuffer out = new HeadBuffer();
      filter.write(parsed.fields(), Ascii.bytes("Host: app.localhost\r\n"), edits, false, out);
      String shown = "seed " + seed + ": " + head + " became " + out.text();
      assertThat(out.text()).as(shown).doesNotContain("forged").doesNotContain("secret");
      assertThat(out.text().lines().filter(l -> l.startsWith("Cookie"))).as(shown).hasSize(1);
      assertThat(out.text().split("other=kept", -1)).as(shown).hasSize(head.toString().split("other=kept", -1).length);
      for (String name : NAMES) {
        assertThat(out.text()).as(shown).containsOnlyOnce(name + "=ours");
      }
    }
  }
}
