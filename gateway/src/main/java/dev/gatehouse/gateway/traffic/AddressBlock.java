package dev.gatehouse.gateway.traffic;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The unit to which limits per address apply: an IPv4 address, or the first 64 bits of an IPv6 address, because the
 * owner of such a prefix has 2^64 addresses (RFC 6177).
 */
public record AddressBlock(boolean v6, long bits) {

  public static AddressBlock of(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return address instanceof Inet6Address
        ? new AddressBlock(true, bytes.getLong())
        : new AddressBlock(false, bytes.getInt());
  }
}
