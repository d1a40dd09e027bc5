package dev.gatehouse.common.realm;

import java.net.InetAddress;

/** A block of addresses, for example {@code 10.0.0.0/8} or {@code ::1/128} (RFC 4632, RFC 4291). */
public record Cidr(InetAddress network, int prefixLength) {

  /** Returns whether the address lies in the block; an IPv4 address never lies in an IPv6 block. */
  public boolean contains(InetAddress address) {
    byte[] mine = network.getAddress();
    byte[] theirs = address.getAddress();
    if (mine.length != theirs.length) {
      return false;
    }
    int bits = prefixLength;
    for (int i = 0; i < mine.length && bits > 0; i++, bits -= 8) {
      int mask = bits >= 8 ? 0xff : 0xff << (8 - bits) & 0xff;
      if ((mine[i] & mask) != (theirs[i] & mask)) {
        return false;
      }
    }
    return true;
  }
}
