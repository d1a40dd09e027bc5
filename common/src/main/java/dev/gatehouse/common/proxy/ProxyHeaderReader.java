package dev.gatehouse.common.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * A reader of the PROXY protocol, versions 1 and 2 (haproxy.org, proxy-protocol.txt). It is strict and bounded, because it reads
 * bytes before TLS. Of the additional values (TLV) of version 2 it uses the checksum and whether the client has TLS.
 */
public final class ProxyHeaderReader {

  /** The time for a whole header; the specification asks for at least three seconds. */
  public static final Duration TIME = Duration.ofSeconds(5);

  /** The largest header of version 2. Those of balancers have a few hundred bytes. */
  public static final int MAX_BYTES = 4096;

  /** The largest header of version 1, with CR LF (section 2.1). */
  private static final int MAX_LINE = 107;

  private static final byte[] TEXT = "PROXY ".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] BINARY = {0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A};
  private static final Pattern PORT = Pattern.compile("0|[1-9]\\d{0,4}");
  private static final int FIXED = 16;
  private static final int CHECKSUM = 0x03;
  private static final int TLS = 0x20;
  private static final int CLIENT_TLS = 0x01;

  private static final ProxyHeader INCOMPLETE = new ProxyHeader.Incomplete();

  private ProxyHeaderReader() {}

  /** Reads the bytes from the position on, which it does not change. */
  public static ProxyHeader read(ByteBuffer input) {
    byte[] in = new byte[Math.min(input.remaining(), MAX_BYTES)];
    input.duplicate().get(in);
    if (begins(in, BINARY)) {
      return in.length < FIXED ? INCOMPLETE : binary(in);
    }
    if (begins(in, TEXT)) {
      return in.length < TEXT.length ? INCOMPLETE : line(in);
    }
    return new ProxyHeader.Refused(ProxyRefusal.MISSING);
  }

  /** Returns whether the bytes begin with the signature, as far as they have arrived. */
  private static boolean begins(byte[] in, byte[] signature) {
    int length = Math.min(in.length, signature.length);
    return Arrays.equals(in, 0, length, signature, 0, length);
  }

  private static ProxyHeader line(byte[] in) {
    int most = Math.min(in.length, MAX_LINE);
    for (int i = 1; i < most; i++) {
      if (in[i] == '\n') {
        return in[i - 1] == '\r' ? line(new String(in, 0, i - 1, StandardCharsets.ISO_8859_1), i + 1) : malformed();
      }
    }
    return in.length < MAX_LINE ? INCOMPLETE : new ProxyHeader.Refused(ProxyRefusal.TOO_LARGE);
  }

  private static ProxyHeader line(String line, int length) {
    String[] words = line.split(" ", -1);
    if (words[1].equals("UNKNOWN")) {
      // The rest must be ignored.
      return new ProxyHeader.Own(length);
    }
    if (!words[1].equals("TCP4") && !words[1].equals("TCP6")) {
      return new ProxyHeader.Refused(ProxyRefusal.UNSUPPORTED);
    }
    boolean v4 = words[1].equals("TCP4");
    if (words.length != 6 || !isPort(words[4]) || !isPort(words[5]) || address(v4, words[3]).isEmpty()) {
      return malformed();
    }
    return address(v4, words[2]).<ProxyHeader>map(client -> new ProxyHeader.Proxied(client, false, length))
        .orElseGet(ProxyHeaderReader::malformed);
  }

  private static Optional<InetAddress> address(boolean v4, String text) {
    return v4 ? AddressLiteral.v4(text) : AddressLiteral.v6(text);
  }

  private static boolean isPort(String text) {
    return PORT.matcher(text).matches() && Integer.parseInt(text) <= 65535;
  }

  private static ProxyHeader binary(byte[] in) {
    int length = FIXED + (Byte.toUnsignedInt(in[14]) << 8 | Byte.toUnsignedInt(in[15]));
    int command = in[12] & 0x0f;
    if ((in[12] & 0xf0) != 0x20 || command > 1) {
      return malformed();
    }
    if (length > MAX_BYTES) {
      return new ProxyHeader.Refused(ProxyRefusal.TOO_LARGE);
    }
    if (in.length < length) {
      return INCOMPLETE;
    }
    if (command == 0) {
      // The address family and the rest must be ignored.
      return new ProxyHeader.Own(length);
    }
    return switch (in[13]) {
      case 0x00 -> new ProxyHeader.Own(length);
      case 0x11 -> proxied(in, length, 4);
      case 0x21 -> proxied(in, length, 16);
      default -> new ProxyHeader.Refused(ProxyRefusal.UNSUPPORTED);
    };
  }

  /** @param size of an address in bytes; source and destination are followed by their ports */
  private static ProxyHeader proxied(byte[] in, int length, int size) {
    int values = FIXED + 2 * size + 4;
    if (values > length) {
      return malformed();
    }
    boolean secure = false;
    for (int at = values; at < length; ) {
      if (length - at < 3) {
        return malformed();
      }
      int type = Byte.toUnsignedInt(in[at]);
      int end = at + 3 + (Byte.toUnsignedInt(in[at + 1]) << 8 | Byte.toUnsignedInt(in[at + 2]));
      if (end > length || type == CHECKSUM && !isChecksum(in, length, at + 3, end) || type == TLS && end - at < 8) {
        return malformed();
      }
      secure |= type == TLS && (in[at + 3] & CLIENT_TLS) != 0;
      at = end;
    }
    return new ProxyHeader.Proxied(address(Arrays.copyOfRange(in, FIXED, FIXED + size)), secure, length);
  }

  /** Checks the CRC-32C of the header, in which the checksum counts as zeros (section 2.2.3). */
  private static boolean isChecksum(byte[] in, int length, int start, int end) {
    if (end - start != 4) {
      return false;
    }
    byte[] header = Arrays.copyOf(in, length);
    Arrays.fill(header, start, end, (byte) 0);
    CRC32C crc = new CRC32C();
    crc.update(header);
    return (int) crc.getValue() == ByteBuffer.wrap(in, start, 4).getInt();
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }

  private static ProxyHeader malformed() {
    return new ProxyHeader.Refused(ProxyRefusal.MALFORMED);
  }
}
