package dev.gatehouse.common.saml.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What we compress, zlib reads: all of it, and it ends with it. */
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

  /** Put together by hand from the tables of RFC 1951, sections 3.2.5 and 3.2.6: what comes first stands first. */
  @ParameterizedTest
  @CsvSource({
    "'', 1, 110 0000000",
    "a, 1, 110 10010001 0000000",
    "aaaaaaaaaaaaa, 1, 110 10010001 0001001 1 00000 0000000",
    "a, 258, 110 10010001 11000100 01111 00000 0000000",
    "abcabcabc, 1, 110 10010001 10010010 10010011 0000100 00010 0000000",
    "abcdefgh, 2, 110 10010001 10010010 10010011 10010100 10010101 10010110 10010111 10011000 0000110 00101 1 0000000",
    "\u00ff, 1, 110 111111111 0000000"
  })
  void byHand(String part, int times, String bits) {
    byte[] message = part.repeat(times).getBytes(StandardCharsets.ISO_8859_1);
    BitSet expected = new BitSet();
    String stream = bits.replace(" ", "");
    for (int i = 0; i < stream.length(); i++) {
      expected.set(i, stream.charAt(i) == '1');
    }

    byte[] deflated = ShortDeflate.of(message);

    assertThat(BitSet.valueOf(deflated)).isEqualTo(expected);
    assertThat(deflated).hasSize((stream.length() + 7) / 8);
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
      check(join(part, part));
    }
  }

  @Test
  void everyDistanceOfAReference() throws DataFormatException {
    for (int distance = 1; distance < 9; distance++) {
      byte[] part = bytes(distance, 256);
      check(join(part, part, part, part));
    }
    byte[] part = "urn:oasis".getBytes(StandardCharsets.US_ASCII);
    for (int distance = part.length; distance <= ShortDeflate.LONGEST - part.length; distance++) {
      check(join(part, bytes(distance - part.length, 256), part));
    }
  }

  @Test
  void aReferenceFromTheEndToTheBeginning() throws DataFormatException {
    String others = "x".repeat(ShortDeflate.LONGEST - 12);
    byte[] again = ("abcdef" + others + "abcdef").getBytes(StandardCharsets.US_ASCII);
    byte[] once = ("abcdef" + others + "UVWXYZ").getBytes(StandardCharsets.US_ASCII);

    check(again);
    assertThat(ShortDeflate.of(again).length).isLessThan(ShortDeflate.of(once).length);
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
        List.of(
            SamlFixtures.authnRequest("_request-1"),
            SamlFixtures.logoutRequest("_logout-1", SamlFixtures.SP),
            SamlFixtures.logoutResponse("_logout-2", SamlFixtures.IDP, "_logout-1"))) {
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
