package dev.gatehouse.common.proxy;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** PROXY headers as balancers send them. */
public final class ProxyHeaders {

  private static final byte[] SIGNATURE = {0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A};
  /** Of a client that speaks TLS with the balancer, with its version. */
  public static final byte[] TLS = tlv(0x20, concat(new byte[] {1, 0, 0, 0, 0}, tlv(0x21, ascii("TLSv1.3"))));

  private ProxyHeaders() {}

  /** Version 1, without CR LF. */
  public static byte[] line(String line) {
    return ascii(line + "\r\n");
  }

  /** Version 2 of a client with that address. */
  public static byte[] of(String client, byte... values) {
    byte[] source = InetAddress.ofLiteral(client).getAddress();
    byte[] destination = InetAddress.ofLiteral(source.length == 4 ? "192.0.2.99" : "2001:db8::99").getAddress();
    byte[] ports = {(byte) 0xC0, 1, 1, (byte) 0xBB};
    return header(0x21, source.length == 4 ? 0x11 : 0x21, concat(source, destination, ports, values));
  }

  public static byte[] header(int versionAndCommand, int family, byte[] rest) {
    byte[] fixed = {(byte) versionAndCommand, (byte) family, (byte) (rest.length >> 8), (byte) rest.length};
    return concat(SIGNATURE, fixed, rest);
  }

  public static byte[] tlv(int type, byte... value) {
    return concat(new byte[] {(byte) type, (byte) (value.length >> 8), (byte) value.length}, value);
  }

  /** The header with its checksum as the last value, which must be there. */
  static byte[] summed(byte[] header) {
    CRC32C crc = new CRC32C();
    crc.update(header);
    byte[] summed = header.clone();
    ByteBuffer.wrap(summed, summed.length - 4, 4).putInt((int) crc.getValue());
    return summed;
  }

  public static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
