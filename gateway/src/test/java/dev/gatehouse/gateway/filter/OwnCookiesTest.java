package dev.gatehouse.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which cookies an app gets is what the cache believes that it gets (SECURITY-CASES 51, 58). */
class OwnCookiesTest {

  private static final List<String> PARTS =
      List.of("gh_a=1", "__Host-gh_b=2", "\"gh_c\"=3", "$gh_d=4", "=gh_e=5", "a=6", "gh=7", "x", " ", "", "__Host-i=8");

  private static Fields fields(String cookies) {
    byte[] head = Ascii.bytes("GET / HTTP/1.1\r\nHost: app.localhost\r\nCookie: " + cookies + "\r\n\r\n");
    return ((RequestHead) new RequestParser(HeadLimits.standard()).parse(head)).fields();
  }

  /** What the app gets of these cookies; empty if it gets no Cookie field. */
  private static String seen(String cookies) {
    HeadBuffer out = new HeadBuffer();
    OwnCookies.writeOthers(fields(cookies), 1, out);
    return out.text().replaceFirst("^Cookie: ", "").replace("\r\n", "");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 20261129})
  void whatTheAppGetsCountsAsACookieOfTheApp(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder cookies = new StringBuilder();
      for (int p = 1 + random.nextInt(5); p > 0; p--) {
        cookies.append(PARTS.get(random.nextInt(PARTS.size()))).append(p == 1 ? "" : List.of(";", "; ", ",", ", ").get(random.nextInt(4)));
      }
      String seen = seen(cookies.toString());
      assertThat(seen).as("seed " + seed + ": " + cookies).doesNotContain("gh_");
      if (!seen.replaceAll("[; ]", "").isEmpty()) {
        assertThat(OwnCookies.othersAreIn(fields(cookies.toString()))).as("seed " + seed + ": " + cookies + " became " + seen).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gh_a=1", "gh_a=1; __Host-gh_b=2", "gh_a=1,gh_b=2", " gh_a=1 , \"gh_b\"=2;;", ""})
  void oursAloneAreNoneOfTheApp(String cookies) {
    assertThat(OwnCookies.othersAreIn(fields(cookies))).isFalse();
    assertThat(seen(cookies)).isEmpty();
  }

  /** Another host of the domain may set gh_z with a comma in its value, and no browser lets it set the names behind that comma. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gh_z=1,__Host-sid=EVIL; __Host-sid=GOOD          | __Host-sid=GOOD
          gh_z=1,__Secure-sid=EVIL; a=1                    | a=1
          gh_z=1, "__host-sid"=EVIL,$__SECURE-sid=EVIL,b=2 | b=2
          gh_z=1,gh_y=2,=__Host-sid=EVIL                   | ''
          gh_z=1,a=1,__Host-sid=part of a                  | a=1,__Host-sid=part of a
          a=1,__Host-sid=part of a; gh_z=1                 | a=1,__Host-sid=part of a
          a=1,gh_z=1,__Host-sid=part of a                  | a=1,__Host-sid=part of a
          __Host-sid=GOOD,gh_z=1                           | __Host-sid=GOOD
          """)
  void noPartOfAValueBecomesACookieThatOnlyItsOwnHostCanSet(String sent, String seen) {
    assertThat(seen(sent)).isEqualTo(seen);
    assertThat(OwnCookies.othersAreIn(fields(sent))).isEqualTo(!seen.isEmpty());
  }
}
