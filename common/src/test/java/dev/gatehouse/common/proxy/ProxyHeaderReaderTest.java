package dev.gatehouse.common.proxy;

import static dev.gatehouse.common.proxy.ProxyHeaders.concat;
import static dev.gatehouse.common.proxy.ProxyHeaders.header;
import static dev.gatehouse.common.proxy.ProxyHeaders.line;
import static dev.gatehouse.common.proxy.ProxyHeaders.tlv;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProxyHeaderReaderTest {

  private static ProxyHeader read(byte[] bytes) {
    return ProxyHeaderReader.read(ByteBuffer.wrap(bytes));
  }

  private static ProxyHeader proxied(String client, boolean secure, byte[] header) {
    return new ProxyHeader.Proxied(InetAddress.ofLiteral(client), secure, header.length);
  }

  private static ProxyHeader refused(ProxyRefusal refusal) {
    return new ProxyHeader.Refused(refusal);
  }

  @Test
  void readsVersion1() {
    byte[] v4 = line("PROXY TCP4 192.0.2.7 203.0.113.1 56324 443");
    byte[] v6 = line("PROXY TCP6 2001:db8::7 2001:db8::1 0 65535");
    assertThat(read(v4)).isEqualTo(proxied("192.0.2.7", false, v4));
    assertThat(read(concat(v4, line("GET / HTTP/1.1")))).isEqualTo(proxied("192.0.2.7", false, v4));
    assertThat(read(v6)).isEqualTo(proxied("2001:db8::7", false, v6));
    byte[] longest = line("PROXY UNKNOWN ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff 65535 65535");
    assertThat(longest).hasSize(107);
    assertThat(read(longest)).isEqualTo(new ProxyHeader.Own(107));
  }

  @Test
  void readsVersion2() {
    byte[] v6 = ProxyHeaders.of("2001:db8::7");
    byte[] withTls = ProxyHeaders.of("192.0.2.7", concat(tlv(0x04, new byte[3]), ProxyHeaders.TLS, tlv(0x02, (byte) 'h')));
    byte[] withoutTls = ProxyHeaders.of("192.0.2.7", tlv(0x20, new byte[5]));
    assertThat(read(v6)).isEqualTo(proxied("2001:db8::7", false, v6));
    assertThat(read(withTls)).isEqualTo(proxied("192.0.2.7", true, withTls));
    assertThat(read(withoutTls)).isEqualTo(proxied("192.0.2.7", false, withoutTls));
  }

  @Test
  void anAddressOfVersion4InVersion6IsThatOfVersion4() {
    byte[] binary = ProxyHeaders.of("::1");
    binary[16 + 10] = (byte) 0xff;
    binary[16 + 11] = (byte) 0xff;
    System.arraycopy(new byte[] {(byte) 192, 0, 2, 7}, 0, binary, 16 + 12, 4);
    byte[] line = line("PROXY TCP6 ::ffff:192.0.2.7 ::1 1 2");
    assertThat(read(binary)).isEqualTo(proxied("192.0.2.7", false, binary));
    assertThat(read(line)).isEqualTo(proxied("192.0.2.7", false, line));
  }

  @Test
  void aBalancerMaySpeakForItself() {
    byte[] local = header(0x20, 0x00, new byte[0]);
    byte[] localWithAddresses = header(0x20, 0x11, new byte[12]);
    byte[] unspecified = header(0x21, 0x00, new byte[7]);
    for (byte[] own : List.of(local, localWithAddresses, unspecified, line("PROXY UNKNOWN"), line("PROXY UNKNOWN any thing"))) {
      assertThat(read(own)).isEqualTo(new ProxyHeader.Own(own.length));
    }
  }

  @Test
  void everyBeginningIsIncomplete() {
    byte[] line = line("PROXY TCP4 192.0.2.7 203.0.113.1 56324 443");
    byte[] binary = ProxyHeaders.of("192.0.2.7", ProxyHeaders.TLS);
    for (byte[] whole : List.of(line, binary)) {
      for (int length = 0; length < whole.length; length++) {
        assertThat(read(Arrays.copyOf(whole, length))).isEqualTo(new ProxyHeader.Incomplete());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "PROXY TCP4 192.0.2.7 203.0.113.1 56324", "PROXY TCP4 192.0.2.7 203.0.113.1 56324 443 ", "PROXY TCP4  192.0.2.7 203.0.113.1 56324 443",
    "PROXY TCP4 2001:db8::7 203.0.113.1 1 2", "PROXY TCP6 192.0.2.7 ::1 1 2", "PROXY TCP4 192.0.2 203.0.113.1 1 2",
    "PROXY TCP4 192.0.2.07 203.0.113.1 1 2", "PROXY TCP4 192.0.2.256 203.0.113.1 1 2", "PROXY TCP4 192.0.2.7 203.0.113.1 65536 2",
    "PROXY TCP4 192.0.2.7 203.0.113.1 01 2", "PROXY TCP4 192.0.2.7 203.0.113.1 -1 2", "PROXY TCP6 fe80::1%1 ::1 1 2",
    "PROXY TCP6 [::1] ::1 1 2", "PROXY TCP4 localhost 203.0.113.1 1 2", "PROXY TCP6 1:2 ::1 1 2", "PROXY TCP4"})
  void refusesWhatVersion1DoesNotProduce(String line) {
    assertThat(read(line(line))).isEqualTo(refused(ProxyRefusal.MALFORMED));
  }

  @Test
  void refusesOtherBytes() {
    for (String other : List.of("GET / HTTP/1.1", "PROXX", "proxy TCP4", "\r\n\r\n\0\r\nQUIX")) {
      assertThat(read(ProxyHeaders.ascii(other))).as(other).isEqualTo(refused(ProxyRefusal.MISSING));
    }
    assertThat(read(ProxyHeaders.ascii("PROXY TCP4 1.1.1.1 2.2.2.2 1 2\n"))).isEqualTo(refused(ProxyRefusal.MALFORMED));
    assertThat(read(line("PROXY TCP5 1.1.1.1 2.2.2.2 1 2"))).isEqualTo(refused(ProxyRefusal.UNSUPPORTED));
    assertThat(read(line("PROXY unknown"))).isEqualTo(refused(ProxyRefusal.UNSUPPORTED));
  }

  @Test
  void refusesWhatIsTooLarge() {
    assertThat(read(ProxyHeaders.ascii("PROXY UNKNOWN " + "x".repeat(93)))).isEqualTo(refused(ProxyRefusal.TOO_LARGE));
    // The length alone is enough: nothing waits for the rest.
    byte[] large = Arrays.copyOf(header(0x21, 0x11, new byte[ProxyHeaderReader.MAX_BYTES - 15]), 16);
    assertThat(read(large)).isEqualTo(refused(ProxyRefusal.TOO_LARGE));
    byte[] largest = ProxyHeaders.of("192.0.2.7", tlv(0xE0, new byte[ProxyHeaderReader.MAX_BYTES - 16 - 12 - 3]));
    assertThat(largest).hasSize(ProxyHeaderReader.MAX_BYTES);
    assertThat(read(concat(largest, new byte[9]))).isEqualTo(proxied("192.0.2.7", false, largest));
  }

  @Test
  void refusesWhatVersion2DoesNotProduce() {
    byte[] addresses = new byte[12];
    assertThat(read(header(0x11, 0x11, addresses))).isEqualTo(refused(ProxyRefusal.MALFORMED));
    assertThat(read(header(0x22, 0x11, addresses))).isEqualTo(refused(ProxyRefusal.MALFORMED));
    assertThat(read(header(0x21, 0x11, new byte[11]))).isEqualTo(refused(ProxyRefusal.MALFORMED));
    assertThat(read(header(0x21, 0x21, new byte[35]))).isEqualTo(refused(ProxyRefusal.MALFORMED));
    assertThat(read(header(0x21, 0x12, addresses))).isEqualTo(refused(ProxyRefusal.UNSUPPORTED));
    assertThat(read(header(0x21, 0x31, new byte[216]))).isEqualTo(refused(ProxyRefusal.UNSUPPORTED));
    assertThat(read(ProxyHeaders.of("192.0.2.7", (byte) 4, (byte) 0))).isEqualTo(refused(ProxyRefusal.MALFORMED));
    assertThat(read(ProxyHeaders.of("192.0.2.7", (byte) 4, (byte) 0, (byte) 1))).isEqualTo(refused(ProxyRefusal.MALFORMED));
    assertThat(read(ProxyHeaders.of("192.0.2.7", tlv(0x20, new byte[4])))).isEqualTo(refused(ProxyRefusal.MALFORMED));
  }

  @Test
  void verifiesTheChecksum() {
    byte[] summed = ProxyHeaders.summed(ProxyHeaders.of("192.0.2.7", tlv(0x03, new byte[4])));
    assertThat(read(summed)).isEqualTo(proxied("192.0.2.7", false, summed));
    summed[16]++;
    assertThat(read(summed)).isEqualTo(refused(ProxyRefusal.MALFORMED));
    assertThat(read(ProxyHeaders.of("192.0.2.7", tlv(0x03, new byte[3])))).isEqualTo(refused(ProxyRefusal.MALFORMED));
  }
}
