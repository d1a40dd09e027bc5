package dev.gatehouse.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 48, 49, by generated spellings: an app sees of an injected field our copy and no other. */
class RequestFieldsFilterTest {

  private static final List<String> INJECTED = List.of("Remote-User", "X-Identity", "Dept", "Authorization", "X-Mail-1");
  private static final String SEPARATORS = "-_.!#$%&'*+^`|~";
  private static final byte[] FORWARDED = "Host: app.localhost\r\n".getBytes(StandardCharsets.US_ASCII);

  private final RequestFieldsFilter filter = new RequestFieldsFilter(new StrippedNames(INJECTED));
  private final HeaderEdits edits =
      HeaderEdits.of(INJECTED.stream().map(name -> new HeaderEdits.Edit(name, "ours")).toList());

  private static String spelled(String name, Random random) {
    StringBuilder spelled = new StringBuilder();
    for (char c : name.toCharArray()) {
      char separator = SEPARATORS.charAt(random.nextInt(SEPARATORS.length()));
      char other = random.nextBoolean() ? Character.toUpperCase(c) : Character.toLowerCase(c);
      spelled.append(c == '-' ? separator : other);
    }
    return spelled.toString();
  }

  /** As CGI and its heirs see names. */
  private static String folded(String line) {
    return line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "-");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 20261121})
  void noSpellingOfAnInjectedNamePasses(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder sent = new StringBuilder("GET / HTTP/1.1\r\nHost: app.localhost\r\n");
      for (int f = 1 + random.nextInt(4); f > 0; f--) {
        String name = spelled(INJECTED.get(random.nextInt(INJECTED.size())), random);
        sent.append(random.nextInt(4) == 0 ? "Connection: " + name : name + ": forged").append("\r\n");
      }
      byte[] bytes = sent.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
      RequestHead head = (RequestHead) new RequestParser(HeadLimits.standard()).parse(bytes);
      HeadBuffer out = new HeadBuffer();
      filter.write(head.fields(), FORWARDED, edits, false, out);
      List<String> names = Arrays.stream(out.text().split("\r\n")).map(RequestFieldsFilterTest::folded).toList();
      String shown = "seed " + seed + ": " + sent;
      assertThat(out.text()).as(shown).doesNotContain("forged");
      for (String injected : INJECTED) {
        assertThat(names).as(shown).containsOnlyOnce(injected.toLowerCase(Locale.ROOT));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SM_USER", "Sm-Universalid", "SMUSER", "SMUSERDN", "iv-user", "iv_groups", "OAM_REMOTE_USER", "X-Vouch-User",
        "Tailscale-User-Login", "Teleport-Jwt-Assertion", "X_Request_Id"
      })
  void namesThatAppsTrustDoNotPass(String name) {
    String sent = "GET / HTTP/1.1\r\nHost: app.localhost\r\n" + name + ": forged\r\nX-Other: kept\r\n\r\n";
    byte[] bytes = sent.getBytes(StandardCharsets.ISO_8859_1);
    RequestHead head = (RequestHead) new RequestParser(HeadLimits.standard()).parse(bytes);
    HeadBuffer out = new HeadBuffer();
    filter.write(head.fields(), FORWARDED, HeaderEdits.none(), false, out);
    assertThat(out.text()).contains("X-Other: kept").doesNotContain("forged");
  }
}
