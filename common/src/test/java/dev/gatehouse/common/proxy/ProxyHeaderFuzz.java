package dev.gatehouse.common.proxy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/** Fuzz target: the PROXY protocol. What is decided does not depend on how the bytes arrive, or on bytes behind the header. */
public final class ProxyHeaderFuzz {

  private ProxyHeaderFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) {
    ProxyHeader whole = ProxyHeaderReader.read(ByteBuffer.wrap(bytes));
    int length =
        switch (whole) {
          case ProxyHeader.Incomplete incomplete -> bytes.length;
          case ProxyHeader.Refused refused -> 0;
          case ProxyHeader.Own own -> own.length();
          case ProxyHeader.Proxied proxied -> proxied.length();
        };
    if (length > bytes.length || length > ProxyHeaderReader.MAX_BYTES) {
      throw new IllegalStateException("more than there is: " + whole);
    }
    if (whole instanceof ProxyHeader.Incomplete && bytes.length >= ProxyHeaderReader.MAX_BYTES) {
      throw new IllegalStateException("waits without a bound");
    }
    for (int part = 0; part < length; part++) {
      if (!(ProxyHeaderReader.read(ByteBuffer.wrap(bytes, 0, part)) instanceof ProxyHeader.Incomplete)) {
        throw new IllegalStateException("decided after " + part + " of " + length + " bytes");
      }
    }
    if (length > 0 && !(whole instanceof ProxyHeader.Incomplete)
        && !ProxyHeaderReader.read(ByteBuffer.wrap(Arrays.copyOf(bytes, length))).equals(whole)) {
      throw new IllegalStateException("depends on what follows");
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        ProxyHeaders.line("PROXY TCP4 192.0.2.7 203.0.113.1 56324 443"),
        ProxyHeaders.line("PROXY UNKNOWN"),
        ProxyHeaders.of("2001:db8::7", ProxyHeaders.TLS),
        ProxyHeaders.summed(ProxyHeaders.of("192.0.2.7", ProxyHeaders.tlv(0x03, new byte[4]))),
        ProxyHeaders.header(0x20, 0x00, new byte[0]));
  }
}
