package dev.gatehouse.gateway.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Generated and damaged heads: what is accepted is understood the same after it was written anew. */
class MessageParserTest {

  private static final String[] NAMES = {"X-A", "Accept", "Cookie", "content-length", "Transfer-Encoding", "Connection", "Host"};
  private static final String[] VALUES = {"", "a", " b ", "\tc", "5", "05", "+5", "chunked", "close", "a, b", "\u00e4", "x:y"};
  private static final String DAMAGE = "\r\n\t :;,\0\u007f%aZ0/";

  private final RequestParser requests = new RequestParser(HeadLimits.standard());
  private final ResponseParser responses = new ResponseParser(HeadLimits.standard());

  private static String head(String firstLine, Random random) {
    StringBuilder head = new StringBuilder(firstLine);
    for (int i = random.nextInt(5); i > 0; i--) {
      head.append(NAMES[random.nextInt(NAMES.length)]).append(':').append(VALUES[random.nextInt(VALUES.length)]).append("\r\n");
    }
    StringBuilder damaged = new StringBuilder(head.append("\r\n"));
    for (int i = random.nextInt(3); i > 0; i--) {
      damaged.setCharAt(random.nextInt(damaged.length()), DAMAGE.charAt(random.nextInt(DAMAGE.length())));
    }
    return damaged.toString();
  }

  private static String written(String firstLine, Fields fields) {
    HeadBuffer out = new HeadBuffer().put(firstLine).endLine();
    for (int i = 0; i < fields.size(); i++) {
      out.putField(fields, i);
    }
    return out.endLine().text();
  }

  private static byte[] bytes(String head) {
    return head.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** No name and no value can hold the end of a line, and a reader who ends lines at LF or CR alone sees the same lines. */
  private static void assertLines(String written, int fields, String shown) {
    assertThat(Arrays.stream(written.split("\r\n|\r|\n")).filter(line -> !line.isEmpty())).as(shown).hasSize(fields + 1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 20261121})
  void requestsAreUnderstoodTheSameAgain(long seed) {
    Random random = new Random(seed);
    int accepted = 0;
    for (int i = 0; i < 50_000; i++) {
      String sent = head("POST /a?b HTTP/1.1\r\nHost: app.localhost\r\n", random);
      if (!(requests.parse(bytes(sent)) instanceof RequestHead parsed)) {
        continue;
      }
      accepted++;
      String shown = "seed " + seed + ": " + sent;
      String target = Ascii.string(parsed.fields().bytes(), parsed.pathStart(), parsed.targetEnd());
      String written = written(parsed.method() + " " + target + " HTTP/1." + parsed.minorVersion(), parsed.fields());
      assertLines(written, parsed.fields().size(), shown);
      assertThat(requests.parse(bytes(written))).as(shown).isInstanceOf(RequestHead.class);
      RequestHead again = (RequestHead) requests.parse(bytes(written));
      assertThat(again.framing()).as(shown).isEqualTo(parsed.framing());
      assertThat(again.keepAlive()).as(shown).isEqualTo(parsed.keepAlive());
      assertThat(again.fields().size()).as(shown).isEqualTo(parsed.fields().size());
      assertThat(again.fields().all(FieldName.HOST)).as(shown).isEqualTo(parsed.fields().all(FieldName.HOST)).hasSize(1);
    }
    assertThat(accepted).as("seed " + seed).isGreaterThan(5_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 20261121})
  void responsesAreUnderstoodTheSameAgain(long seed) {
    Random random = new Random(seed);
    int accepted = 0;
    for (int i = 0; i < 50_000; i++) {
      String sent = head("HTTP/1.1 200 OK\r\n", random);
      boolean toHead = random.nextBoolean();
      if (!(responses.parse(bytes(sent), toHead) instanceof ResponseHead parsed)) {
        continue;
      }
      accepted++;
      String shown = "seed " + seed + ": " + sent;
      String reason = Ascii.string(parsed.fields().bytes(), parsed.reasonStart(), parsed.reasonEnd());
      String written = written(sent.substring(0, 9) + parsed.status() + " " + reason, parsed.fields());
      assertLines(written, parsed.fields().size(), shown);
      assertThat(responses.parse(bytes(written), toHead)).as(shown).isInstanceOf(ResponseHead.class);
      ResponseHead again = (ResponseHead) responses.parse(bytes(written), toHead);
      assertThat(again.framing()).as(shown).isEqualTo(parsed.framing());
      assertThat(again.keepAlive()).as(shown).isEqualTo(parsed.keepAlive());
    }
    assertThat(accepted).as("seed " + seed).isGreaterThan(5_000);
  }
}
