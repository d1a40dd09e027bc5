package dev.gatehouse.gateway.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CDN-Cache-Control (RFC 9213), a Dictionary (RFC 9651). */
class TargetedCacheControlTest {

  private static Optional<CacheControl> of(String... values) {
    return TargetedCacheControl.of(List.of(values));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max-age=60", "max-age=60;x=1;y", " max-age=60", "max-age=10, max-age=60", "a, max-age=60 \t,\tb=?0", "max-age=60, x=(1 \"a\" b;c)",
        "x=:YQ==:, max-age=60", "x=1.5, max-age=60", "x=\"a\\\"b\", max-age=60", "max-age=060", "x=tok/en:1, max-age=60"
      })
  void aDictionaryIsRead(String value) {
    assertThat(of(value)).map(CacheControl::maxAge).contains(60L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", "max-age=60,", "max-age=60,,x", ",max-age=60", "max-age=", "max-age =60", "Max-Age=60", "max-age=60 x", "max-age=\"60",
        "max-age=60;", "x=(1 2, max-age=60", "max-age=60, &", "x=1., max-age=60", "x=?2, max-age=60", "x=:Y, max-age=60",
        "max-age=1234567890123456"
      })
  void whatIsNoneCountsAsAbsent(String value) {
    assertThat(of(value)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "max-age=\"60\"", "max-age=60.0", "max-age", "max-age=-1", "max-age=(60)", "unknown", "unknown=5, other", "no-store=?0",
        "private=?0"
      })
  void whatHoldsNoUsableDirectiveCountsAsAbsent(String value) {
    assertThat(of(value)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"'s-maxage=5, max-age=60', 60", "'max-age=\"60\", public', -1"})
  void aTimeThatIsNoIntegerSaysNothing(String value, long seconds) {
    assertThat(of(value)).map(CacheControl::maxAge).contains(seconds);
  }

  @ParameterizedTest
  @CsvSource({
    "no-store, true, false", "'no-store=?1', true, false", "'no-store=?0, public', false, false", "'private=\"x\"', false, true",
    "'private=?0, public', false, false", "'no-store, private', true, true"
  })
  void whatForbids(String value, boolean noStore, boolean isPrivate) {
    assertThat(of(value)).map(CacheControl::noStore).contains(noStore);
    assertThat(of(value)).map(CacheControl::isPrivate).contains(isPrivate);
  }

  @ParameterizedTest
  @ValueSource(strings = {"max-age=60"})
  void severalFieldsAreOne(String second) {
    assertThat(of("no-store", second)).map(CacheControl::noStore).contains(true);
    assertThat(of("no-store", second)).map(CacheControl::maxAge).contains(60L);
    assertThat(of("no-store", "(")).isEmpty();
    assertThat(of()).isEmpty();
  }
}
