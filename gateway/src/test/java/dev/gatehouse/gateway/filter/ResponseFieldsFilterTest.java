package dev.gatehouse.gateway.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.message.HeadBuffer;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.message.ResponseParser;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SECURITY-CASES 59: no cache in front of the gateway keeps what a person gets, whatever the app tells it. */
class ResponseFieldsFilterTest {

  private static String written(String lines, ResponseEdits edits) {
    byte[] bytes = ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n" + lines + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    ResponseHead head = (ResponseHead) new ResponseParser(HeadLimits.standard()).parse(bytes, false);
    HeadBuffer out = new HeadBuffer();
    ResponseFieldsFilter.write(head.fields(), edits, out);
    return out.text();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CDN-Cache-Control: max-age=60",
        "Cloudflare-CDN-Cache-Control: max-age=60",
        "akamai-cache-control: max-age=60",
        "Surrogate-Control: max-age=60",
        "X-Accel-Expires: 60",
        "Edge-Control: max-age=60"
      })
  void fieldsForCertainCachesAreForAnonymousResponsesOnly(String line) {
    String lines = line + "\r\nX-Other: kept\r\n";
    assertThat(written(lines, ResponseEdits.IDENTIFIED))
        .contains("X-Other: kept", "Cache-Control: private")
        .doesNotContain(line);
    assertThat(written(lines, ResponseEdits.ANONYMOUS)).contains("X-Other: kept", line);
  }
}
