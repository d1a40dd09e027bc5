package dev.gatehouse.common.saml.xml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.gatehouse.common.saml.MessageRefused;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class XmlValuesTest {

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2})
  void theUsualFormIsReadAsTheJdkReadsIt(long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 50_000; i++) {
      Instant instant = Instant.ofEpochMilli(random.nextLong(0, 250_000_000_000_000L));
      Instant whole = instant.truncatedTo(ChronoUnit.SECONDS);
      assertThat(XmlValues.instant(whole.toString(), "it")).isEqualTo(whole);
      assertThat(XmlValues.instant(instant.toString(), "it")).isEqualTo(instant);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2028-02-29T00:00:00Z, 2028-02-29T00:00:00Z",
    "2026-12-31T23:59:59.999Z, 2026-12-31T23:59:59.999Z",
    "2026-11-21T06:50:00, 2026-11-21T06:50:00Z",
    "2026-11-21T06:50:00+01:00, 2026-11-21T05:50:00Z",
    "2026-11-21T06:50:00.1234567890123Z, 2026-11-21T06:50:00.123456789Z",
    "2026-11-21T24:00:00Z, 2026-11-22T00:00:00Z",
    "0001-01-01T00:00:00Z, 0001-01-01T00:00:00Z",
  })
  void otherFormsAreUnderstood(String text, Instant instant) {
    assertThat(XmlValues.instant(text, "it")).isEqualTo(instant);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-11-31T00:00:00Z",
        "2026-11-21T25:00:00Z", "2026-11-21T06:60:00Z", "2026-11-21T06:50:61Z", "2026-11-21 06:50:00Z",
        "2026-11-21T06:50:0aZ", "2026-11-21T06:50:00.12aZ", "2026-11-21T06:50:00.-12Z", "+026-11-21T06:50:00Z",
        "2026-11-00T06:50:00Z", "20261121T0650000000Z", "2026-11-21T06:50:00z", "",
      })
  void whatIsNoTimeIsRefused(String text) {
    assertThatThrownBy(() -> XmlValues.instant(text, "it")).isInstanceOf(MessageRefused.class);
  }
}
