package dev.gatehouse.common.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UtcMillisTest {

  private static final DateTimeFormatter THREE_DIGITS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  @ParameterizedTest
  @CsvSource({
    "2026-11-21T06:50:00Z, 2026-11-21T06:50:00Z, 2026-11-21T06:50:00.000Z",
    "2026-01-02T03:04:05.006Z, 2026-01-02T03:04:05.006Z, 2026-01-02T03:04:05.006Z",
    "2026-01-02T03:04:05.100Z, 2026-01-02T03:04:05.100Z, 2026-01-02T03:04:05.100Z",
    "2026-01-02T03:04:05.999999999Z, 2026-01-02T03:04:05.999Z, 2026-01-02T03:04:05.999Z",
    "2026-01-02T03:04:05.000999Z, 2026-01-02T03:04:05Z, 2026-01-02T03:04:05.000Z",
    "1969-12-31T23:59:59.5Z, 1969-12-31T23:59:59.500Z, 1969-12-31T23:59:59.500Z",
    "+10000-01-01T00:00:00Z, +10000-01-01T00:00:00Z, +10000-01-01T00:00:00.000Z"
  })
  void writesMilliseconds(Instant time, String shortest, String full) {
    assertThat(UtcMillis.shortest(time)).isEqualTo(shortest);
    assertThat(UtcMillis.full(time)).isEqualTo(full);
  }

  @Test
  void writesWhatJavaTimeWrites() {
    Random random = new Random(5);
    for (int i = 0; i < 100_000; i++) {
      Instant time = Instant.ofEpochSecond(random.nextLong(253_402_300_800L), random.nextInt(1_000_000_000));
      assertThat(UtcMillis.shortest(time)).isEqualTo(time.truncatedTo(ChronoUnit.MILLIS).toString());
      assertThat(UtcMillis.full(time)).isEqualTo(THREE_DIGITS.format(time));
    }
  }

  @Test
  void readsWhatItWrites() {
    Random random = new Random(6);
    for (int i = 0; i < 100_000; i++) {
      Instant time = Instant.ofEpochSecond(random.nextLong(253_402_300_800L), random.nextInt(1_000) * 1_000_000L);
      byte[] text = ("{\"" + UtcMillis.full(time)).getBytes(StandardCharsets.US_ASCII);
      assertThat(UtcMillis.parse(text, 2)).isEqualTo(time);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "2026-01-02T03:04:05.006Z", "2026-01-02T24:00:00.000Z", "2026-02-30T03:04:05.006Z", "2026-01-02T03:60:05.006Z",
        "2026-01-02T03:04:60.006Z", "2026-01-02t03:04:05.006z", "2026-01-02 03:04:05.006Z", "2026-01-02T25:04:05.006Z",
        "-026-01-02T03:04:05.006Z", "2026-13-02T03:04:05.006Z", "2026-01-02T03:04:05.0Z  ", "2026-01-00T03:04:05.006Z"
      })
  void readsWhatJavaTimeReads(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    Instant expected;
    try {
      expected = Instant.parse(text);
    } catch (DateTimeException e) {
      assertThatThrownBy(() -> UtcMillis.parse(bytes, 0)).isInstanceOf(DateTimeException.class);
      return;
    }
    assertThat(UtcMillis.parse(bytes, 0)).isEqualTo(expected);
  }
}
