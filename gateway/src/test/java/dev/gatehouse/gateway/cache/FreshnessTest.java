package dev.gatehouse.gateway.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.realm.CacheConfig;
import dev.gatehouse.gateway.message.Ascii;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.HeadLimits;
import dev.gatehouse.gateway.message.ResponseHead;
import dev.gatehouse.gateway.message.ResponseParser;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9111, sections 4.2 and 5.2, by the letter. */
class FreshnessTest {

  /** Thu, 01 Jan 2026 12:00:00 GMT. */
  private static final long NOW = 1_767_268_800L;

  private static Fields fields(String lines) {
    String head = "HTTP/1.1 200 OK\r\n" + lines.replace("~", "\r\n") + "\r\n\r\n";
    ResponseParser parser = new ResponseParser(HeadLimits.standard());
    return ((ResponseHead) parser.parse(Ascii.bytes(head), false)).fields();
  }

  private static Freshness of(String lines) {
    return Freshness.of(fields(lines), CacheConfig.USUAL, NOW, NOW);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Cache-Control: max-age=60                                        | 60
          Cache-Control: max-age=60, s-maxage=5                            | 5
          Cache-Control: max-age=60~Cache-Control: max-age=30              | 30
          Cache-Control: max-age="60"                                      | 60
          Cache-Control: max-age=60~Expires: Thu, 01 Jan 2026 12:01:00 GMT | 60
          Date: Thu, 01 Jan 2026 12:00:00 GMT~Expires: Thu, 01 Jan 2026 12:01:40 GMT   | 100
          Date: Thu, 01 Jan 2026 12:00:00 GMT~Expires: Thursday, 01-Jan-26 12:01:40 GMT| 100
          Date: Thu, 01 Jan 2026 12:00:00 GMT~Expires: Thu Jan  1 12:01:40 2026        | 100
          Expires: 0                                                       | 0
          Expires: Thu, 01 Jan 2026 13:00:00 GMT~Expires: 0                | 0
          Cache-Control: max-age=-1                                        | 0
          Cache-Control: max-age=1e9                                       | 0
          Cache-Control: max-age=                                          | 0
          Cache-Control: max-age=99999999999999999999                      | 2147483647
          Cache-Control: no-cache, max-age=60                              | 0
          Cache-Control: MAX-AGE=60                                        | 60
          """)
  void lifetime(String lines, long seconds) {
    assertThat(of(lines).lifetime()).isEqualTo(seconds);
  }

  @ParameterizedTest
  @CsvSource({
    "Age: 30,30",
    "'Date: Thu, 01 Jan 2026 11:59:20 GMT',40",
    "'Age: 10~Date: Thu, 01 Jan 2026 11:59:20 GMT',40",
    "'Date: Thu, 01 Jan 2026 12:30:00 GMT',0",
    "Age: -1,0",
    "Age: x,0",
    "Age: 1.5,0",
    "Age: ,0",
    "'Age: x~Date: Thu, 01 Jan 2026 11:59:20 GMT',40",
    "'Age: 3,4',3",
    "Age: 99999999999999999999,2147483647",
    "Age: 1~Age: 2,1"
  })
  void whatHasTravelledIsOlder(String lines, long age) {
    assertThat(of("Cache-Control: max-age=60~" + lines).age(NOW)).isEqualTo(age);
  }

  @Test
  void theTimeThatTheAppTookCounts() {
    assertThat(Freshness.of(fields("Cache-Control: max-age=60"), CacheConfig.USUAL, NOW - 7, NOW).age(NOW)).isEqualTo(7);
  }

  @Test
  void itIsFreshUntilItsLastSecondIsOver() {
    Freshness freshness = of("Cache-Control: max-age=60");
    assertThat(freshness.isFresh(NOW + 59)).isTrue();
    assertThat(freshness.isFresh(NOW + 60)).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Cache-Control: max-age=60, stale-while-revalidate=30                    | 30 | 20
          Cache-Control: max-age=60                                               | 10 | 20
          Cache-Control: max-age=60, stale-if-error=5                             | 10 | 5
          Cache-Control: max-age=60, must-revalidate                              | 0  | 0
          Cache-Control: max-age=60, proxy-revalidate, stale-while-revalidate=30  | 0  | 0
          Cache-Control: s-maxage=60                                              | 0  | 0
          Cache-Control: s-maxage=60, stale-while-revalidate=30                   | 30 | 0
          """)
  void staleResponsesAsTheAppSaysAndElseAsTheRouteSays(String lines, long whileAsking, long onError) {
    CacheConfig u = CacheConfig.USUAL;
    CacheConfig config =
        new CacheConfig(
            Optional.of(Duration.ofSeconds(9)), Optional.of(Duration.ofSeconds(50)), u.maxObject(),
            Duration.ofSeconds(10), Duration.ofSeconds(20), u.sharing(), u.request(),
            Optional.empty(), true);
    Freshness freshness = Freshness.of(fields(lines), config, NOW, NOW);
    assertThat(freshness.lifetime()).as("capped by the route").isEqualTo(50);
    assertThat(freshness.whileRevalidate()).isEqualTo(whileAsking);
    assertThat(freshness.ifError()).isEqualTo(onError);
    Freshness silent = Freshness.of(fields("X: y"), config, NOW, NOW);
    assertThat(silent.lifetime()).isEqualTo(9);
    assertThat(silent.explicit()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "no-store", "NO-STORE", "max-age=60 , no-store", "max-age=\"60, no-store", "x=\"a\"no-store", "no-store=1",
        "\"no-store", ", ,no-store,"
      })
  void whatCannotBeReadIsNotKept(String value) {
    assertThat(CacheControl.of(List.of(value)).noStore()).as(value).isTrue();
  }

  /** What is not read could be no-store. */
  @Test
  void ofDirectivesSixtyFourAreRead() {
    CacheControl most = CacheControl.of(List.of("x,".repeat(40), "x,".repeat(22) + "public"));
    assertThat(most.noStore()).isFalse();
    assertThat(most.allowsSharing()).isTrue();
    CacheControl more = CacheControl.of(List.of("public," + "x,".repeat(63) + "only-if-cached"));
    assertThat(more.noStore()).isTrue();
    assertThat(more.onlyIfCached()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"bytes=0-0,0,1", "bytes=90-200,90,10", "bytes=-200,0,100", "BYTES=5-9,5,5", "bytes=100-,0,0", "bytes=-0,100,0"})
  void ranges(String field, int first, int length) {
    assertThat(ByteRange.of(field, 100)).contains(new ByteRange(first, length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=", "bytes=-", "bytes=1-2,3-4", "bytes=a-b", "bits=0-1", "bytes=9-1", "", "bytes=1-99999999999999999999"})
  void whatIsNoSingleRangeIsIgnored(String field) {
    assertThat(ByteRange.of(field, 100)).isEmpty();
  }
}
