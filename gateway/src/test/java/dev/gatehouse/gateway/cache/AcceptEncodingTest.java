package dev.gatehouse.gateway.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.message.RequestParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who gets gzip from the cache (RFC 9110, sections 12.4.2 and 12.5.3), and how much of a list is read for that. */
class AcceptEncodingTest {

  private static boolean accepts(String... values) {
    StringBuilder head = new StringBuilder("GET / HTTP/1.1\r\nHost: app.localhost\r\n");
    for (String value : values) {
      head.append("Accept-Encoding: ").append(value).append("\r\nX-Other: gzip\r\n");
    }
    byte[] bytes = Ascii.bytes(head.append("\r\n").toString());
    return CacheRequest.of((RequestHead) new RequestParser(HeadLimits.standard()).parse(bytes)).acceptsGzip();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gzip", "GZip", "x-gzip", "br, gzip", "br;q=1.0,gzip;q=0.1", "gzip;q=1", "gzip;q=1.", "gzip;q=1.000", "gzip;q=0.001",
        "gzip ;\tQ=0.5", "gzip; q=0.999", "*", "*;q=0.1", "br, *", "identity;q=0, gzip", "*;q=0, gzip", "identity;q=0, *", ",, gzip ,"
      })
  void gzipIsAccepted(String value) {
    assertThat(accepts(value)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "br", "gzip;q=0", "gzip;q=0.", "gzip;q=0.000", "gzip ; Q=0.0", "x-gzip;q=0", "gzip;q=0, *", "*;q=0", "br, *;q=0.00",
        "identity;q=0", "identity", "gzipped", "gzi", "xgzip", "* x", "gzip;", "gzip;q", "gzip;q=", "gzip;q=x", "gzip;q=0.0001",
        "gzip;q=1.001", "gzip;q=2", "gzip;q=-1", "gzip;q=0x1", "gzip;q=00", "gzip;q=0.1;q=0", "gzip;level=9"
      })
  void gzipIsNotAccepted(String value) {
    assertThat(accepts(value)).isFalse();
  }

  @Test
  void severalFieldsAreOneList() {
    assertThat(accepts("br", "gzip")).isTrue();
    assertThat(accepts("*", "gzip;q=0")).isFalse();
    assertThat(accepts()).isFalse();
  }

  /** A list that nobody sends is not read to its end, however it is spread over fields. */
  @Test
  void whatStandsBehindSixtyFourCodingsIsNotRead() {
    assertThat(accepts("x;q=1,".repeat(63) + "gzip")).isTrue();
    assertThat(accepts("x;q=1,".repeat(64) + "gzip")).isFalse();
    assertThat(accepts("x,".repeat(40), "x,".repeat(24), "gzip")).isFalse();
    assertThat(accepts("*, " + "x,".repeat(64))).isFalse();
  }
}
