package dev.gatehouse.idp.otp.packet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.idp.otp.packet.ParsedPacket.Malformed;
import dev.gatehouse.idp.otp.packet.ParsedPacket.Read;
import dev.gatehouse.idp.otp.packet.ParsedPacket.Reason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for all packets: bounds, and that no changed bit keeps a packet authentic. */
class PacketPropertiesTest {

  private static final SharedSecret SECRET = new SharedSecret("a secret of twenty bytes and more, so that the key of the HMAC is longer than its block");
  private static final byte[] AUTHENTICATOR = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 17, 31, 32, 127, 128})
  void passwordsOfAllLengthsComeBack(int length) {
    String password = "x".repeat(length);
    byte[] hidden = SECRET.hide(password, AUTHENTICATOR);
    assertThat(hidden.length % 16).isZero();
    assertThat(hidden).hasSizeBetween(16, 128);
    RadiusPacket packet = request(w -> w.add(AttributeType.USER_PASSWORD, hidden));
    assertThat(SECRET.password(packet)).contains(password);
  }

  @Test
  void passwordsWithoutTheFormOfOneAreNone() {
    for (int length : List.of(1, 15, 17, 144)) {
      assertThat(SECRET.password(request(w -> w.add(AttributeType.USER_PASSWORD, new byte[length])))).as("%d bytes", length).isEmpty();
    }
    byte[] noUtf8 = SECRET.hide("", AUTHENTICATOR);
    noUtf8[0] ^= (byte) 0xff;
    assertThat(SECRET.password(request(w -> w.add(AttributeType.USER_PASSWORD, noUtf8)))).isEmpty();
  }

  @Test
  void noChangedBitKeepsARequestAuthentic() {
    byte[] good = bytes(w -> w.add(AttributeType.USER_NAME, "carol").add(AttributeType.USER_PASSWORD, SECRET.hide("2468123456", AUTHENTICATOR)));
    for (int bit = 0; bit < good.length * 8; bit++) {
      byte[] changed = good.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      boolean authentic = RadiusPacket.parse(changed, changed.length) instanceof Read(RadiusPacket packet) && SECRET.hasMessageAuthenticator(packet);
      assertThat(authentic).as("bit %d", bit).isFalse();
    }
  }

  @Test
  void noChangedBitKeepsAccountingAuthentic() {
    byte[] good =
        new PacketWriter(PacketCode.ACCOUNTING_REQUEST, 7).add(AttributeType.ACCT_STATUS_TYPE, 1).request(AUTHENTICATOR, SECRET).orElseThrow();
    assertThat(SECRET.hasAccountingAuthenticator(parsed(good))).isTrue();
    for (int bit = 0; bit < good.length * 8; bit++) {
      byte[] changed = good.clone();
      changed[bit / 8] ^= (byte) (1 << bit % 8);
      boolean authentic = RadiusPacket.parse(changed, changed.length) instanceof Read(RadiusPacket packet) && SECRET.hasAccountingAuthenticator(packet);
      assertThat(authentic).as("bit %d", bit).isFalse();
    }
  }

  @Test
  void lengthsAreBounded() {
    byte[] good = bytes(w -> w.add(AttributeType.USER_NAME, "carol"));
    for (int received = 0; received < good.length; received++) {
      assertThat(RadiusPacket.parse(good, received)).isEqualTo(new Malformed(Reason.TOO_SHORT));
    }
    assertThat(RadiusPacket.parse(withLength(good, 19), good.length)).isEqualTo(new Malformed(Reason.LENGTH_OUT_OF_RANGE));
    assertThat(RadiusPacket.parse(withLength(Arrays.copyOf(good, 5000), 4097), 5000)).isEqualTo(new Malformed(Reason.LENGTH_OUT_OF_RANGE));
    assertThat(RadiusPacket.parse(withLength(good, good.length - 1), good.length)).isEqualTo(new Malformed(Reason.ATTRIBUTE_OUT_OF_BOUNDS));
    byte[] padded = Arrays.copyOf(good, good.length + 7);
    assertThat(parsed(padded).length()).as("bytes behind the length are padding").isEqualTo(good.length);
    assertThat(SECRET.hasMessageAuthenticator(parsed(padded))).isTrue();
  }

  @Test
  void attributesAreBounded() {
    for (int length : List.of(0, 1, 4, 255)) {
      byte[] packet = withLength(new byte[23], 23);
      packet[0] = 1;
      packet[20] = 1;
      packet[21] = (byte) length;
      assertThat(RadiusPacket.parse(packet, 23)).as("length %d", length).isEqualTo(new Malformed(Reason.ATTRIBUTE_OUT_OF_BOUNDS));
    }
    byte[] cut = withLength(new byte[21], 21);
    cut[0] = 1;
    assertThat(RadiusPacket.parse(cut, 21)).isEqualTo(new Malformed(Reason.ATTRIBUTE_OUT_OF_BOUNDS));
  }

  @Test
  void thereIsOneMessageAuthenticatorOfSixteenBytes() {
    assertThat(parse(w -> w.add(AttributeType.MESSAGE_AUTHENTICATOR, new byte[16]))).isEqualTo(new Malformed(Reason.AUTHENTICATOR_MALFORMED));
    PacketWriter accounting = new PacketWriter(PacketCode.ACCOUNTING_REQUEST, 1).add(AttributeType.MESSAGE_AUTHENTICATOR, new byte[15]);
    byte[] bytes = accounting.request(AUTHENTICATOR, SECRET).orElseThrow();
    assertThat(RadiusPacket.parse(bytes, bytes.length)).isEqualTo(new Malformed(Reason.AUTHENTICATOR_MALFORMED));
  }

  @Test
  void noBytesAreAFault() {
    Random random = new Random(20261127);
    byte[] good =
        bytes(
            w ->
                w.add(AttributeType.USER_NAME, "carol").add(AttributeType.STATE, "reference").add(AttributeType.VENDOR_SPECIFIC, new byte[] {0, 0, 1, 55, 1, 3, 9})
                    .add(AttributeType.PROXY_STATE, "one").add(AttributeType.PROXY_STATE, "two"));
    int read = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] bytes = random.nextBoolean() ? good.clone() : new byte[random.nextInt(64)];
      if (bytes.length != good.length) {
        random.nextBytes(bytes);
      }
      for (int changes = random.nextInt(4); changes > 0 && bytes.length > 0; changes--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      if (RadiusPacket.parse(bytes, random.nextInt(bytes.length + 1)) instanceof Read(RadiusPacket packet)) {
        read++;
        RadiusPacketFuzz.readAll(packet, SECRET);
      }
    }
    assertThat(read).isPositive();
  }

  @Test
  void theFirstAttributeOfAResponseIsItsMessageAuthenticator() {
    byte[] response =
        new PacketWriter(PacketCode.ACCESS_REJECT, 9).add(AttributeType.REPLY_MESSAGE, "no").response(AUTHENTICATOR, SECRET).orElseThrow();
    assertThat(response[20]).isEqualTo((byte) 80);
    assertThat(SECRET.isResponseTo(AUTHENTICATOR, parsed(response))).isTrue();
    assertThat(new SharedSecret("other").isResponseTo(AUTHENTICATOR, parsed(response))).isFalse();
  }

  @Test
  void attributesOfProxiesComeBackInTheirOrder() {
    RadiusPacket request =
        request(w -> w.add(AttributeType.PROXY_STATE, "b").add(AttributeType.USER_NAME, "carol").add(AttributeType.PROXY_STATE, "a"));
    byte[] response =
        new PacketWriter(PacketCode.ACCESS_ACCEPT, 9).copy(AttributeType.PROXY_STATE, request).response(AUTHENTICATOR, SECRET).orElseThrow();
    assertThat(Arrays.copyOfRange(response, response.length - 6, response.length)).isEqualTo(new byte[] {33, 3, 'b', 33, 3, 'a'});
  }

  @Test
  void aResponseThatDoesNotFitIsNone() {
    RadiusPacket request =
        request(
            w -> {
              for (int i = 0; i < 16; i++) {
                w.add(AttributeType.PROXY_STATE, new byte[250]);
              }
            });
    PacketWriter fits = new PacketWriter(PacketCode.ACCESS_ACCEPT, 9).copy(AttributeType.PROXY_STATE, request);
    assertThat(fits.response(AUTHENTICATOR, SECRET)).isPresent();
    PacketWriter longer = new PacketWriter(PacketCode.ACCESS_ACCEPT, 9).add(AttributeType.REPLY_MESSAGE, "x".repeat(30));
    assertThat(longer.copy(AttributeType.PROXY_STATE, request).response(AUTHENTICATOR, SECRET)).isEmpty();
  }

  private interface Filling {
    void fill(PacketWriter writer);
  }

  private static byte[] bytes(Filling filling) {
    PacketWriter writer = new PacketWriter(PacketCode.ACCESS_REQUEST, 42);
    filling.fill(writer);
    return writer.request(AUTHENTICATOR, SECRET).orElseThrow();
  }

  private static ParsedPacket parse(Filling filling) {
    byte[] bytes = bytes(filling);
    return RadiusPacket.parse(bytes, bytes.length);
  }

  private static RadiusPacket request(Filling filling) {
    return parsed(bytes(filling));
  }

  private static RadiusPacket parsed(byte[] bytes) {
    return Optional.of(RadiusPacket.parse(bytes, bytes.length)).map(Read.class::cast).orElseThrow().packet();
  }

  private static byte[] withLength(byte[] packet, int length) {
    byte[] changed = packet.clone();
    changed[2] = (byte) (length >> 8);
    changed[3] = (byte) length;
    return changed;
  }
}
