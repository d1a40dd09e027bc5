package dev.gatehouse.gateway.traffic;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * Whose address it is, as far as limits go: an IPv4 address, or the first 64 bits of an IPv6 address, for whoever has one of
 * those has 2^64 (RFC 6177).
 */
public record AddressBlock(boolean v6, long bits) {

  public static AddressBlock of(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return address instanceof Inet6Address
        ? new AddressBlock(true, bytes.getLong())
        : new AddressBlock(false, bytes.getInt());
  }
}
