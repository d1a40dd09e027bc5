package dev.gatehouse.gateway.accesslog;

import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Seeded input for the properties of {@link LineFormatFuzz}. */
class LineFormatTest {

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whateverIsReceivedIsOneLineOfVisibleAscii(long seed) {
    LineFormatFuzz.seeds().forEach(LineFormatFuzz::fuzzerTestOneInput);
    Random random = new Random(seed);
    for (int i = 0; i < 500; i++) {
      byte[] bytes = LineFormatFuzz.seeds().get(random.nextInt(3)).clone();
      for (int changes = random.nextInt(8); changes > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      LineFormatFuzz.fuzzerTestOneInput(bytes);
    }
  }
}
