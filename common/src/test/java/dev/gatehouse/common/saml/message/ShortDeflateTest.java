package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What we compress, zlib reads. */
class ShortDeflateTest {

  private final Random random = new Random(7);

  private static void check(byte[] message) throws DataFormatException {
    byte[] deflated = ShortDeflate.of(message);
    Inflater inflater = new Inflater(true);
    try {
      inflater.setInput(deflated);
      byte[] inflated = new byte[message.length + 1];
      int length = inflater.inflate(inflated);
      assertThat(Arrays.copyOf(inflated, length)).isEqualTo(message);
      assertThat(inflater.finished()).isTrue();
      assertThat(inflater.getRemaining()).isZero();
    } finally {
      inflater.end();
    }
  }

  private byte[] bytes(int length, int kinds) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) random.nextInt(kinds);
    }
    return bytes;
  }

  private static byte[] join(byte[]... parts) {
    int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
    byte[] joined = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, joined, at, part.length);
      at += part.length;
    }
    return joined;
  }

  /** With few kinds of bytes nearly all are references, with all kinds nearly none. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 60, 256})
  void anyBytes(int kinds) throws DataFormatException {
    for (int length = 0; length < 70; length++) {
      check(bytes(length, kinds));
    }
    for (int length : new int[] {255, 256, 257, 258, 259, 260, 261, 262, 1000, ShortDeflate.LONGEST}) {
      check(bytes(length, kinds));
    }
  }

  @Test
  void everyLengthOfAReference() throws DataFormatException {
    for (int length = 3; length <= 300; length++) {
      byte[] part = bytes(length, 256);
      check(join(part, bytes(5, 256), part, new byte[] {1}));
    }
  }

  @Test
  void everyDistanceOfAReference() throws DataFormatException {
    byte[] part = "urn:oasis".getBytes(StandardCharsets.US_ASCII);
    for (int distance = part.length; distance <= ShortDeflate.LONGEST - part.length; distance++) {
      check(join(part, bytes(distance - part.length, 256), part));
    }
  }

  /** Literals from 144 on have codes of nine bits. */
  @Test
  void bytesThatTakeMost() throws DataFormatException {
    byte[] message = new byte[ShortDeflate.LONGEST];
    for (int i = 0; i < message.length; i++) {
      message[i] = (byte) (144 + random.nextInt(112));
    }
    check(message);
  }

  @Test
  void aMessageIsNotMuchLongerThanByTheCompressorOfTheJdk() throws DataFormatException {
    for (SamlMessage message :
        new SamlMessage[] {SamlFixtures.authnRequest("_request-1"), SamlFixtures.logoutRequest("_logout-1", SamlFixtures.SP)}) {
      byte[] xml = MessageElements.write(message, Optional.empty(), Optional.empty()).getBytes(StandardCharsets.UTF_8);
      check(xml);
      assertThat(ShortDeflate.of(xml).length).isLessThan(xml.length * 7 / 10).isLessThan(byJdk(xml) * 5 / 4);
    }
  }

  private static int byJdk(byte[] message) {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
    try {
      deflater.setInput(message);
      deflater.finish();
      return deflater.deflate(new byte[message.length + 100]);
    } finally {
      deflater.end();
    }
  }

  @Test
  void longerMessagesAreNotForIt() {
    assertThatThrownBy(() -> ShortDeflate.of(new byte[ShortDeflate.LONGEST + 1])).isInstanceOf(IllegalArgumentException.class);
  }
}
