package dev.gatehouse.common.analytics.collect;

import java.net.InetAddress;
import java.util.Optional;

/**
 * An address and the network that it belongs to.
 *
 * @param narrow one household or office: an IPv4 address, or a /64 of IPv6
 * @param wide roughly one provider: a /16 of IPv4, or a /32 of IPv6
 */
record Network(InetAddress address, String narrow, String wide) {

  private static final int IPV4 = 4;

  /** Returns the network of a textual address; empty if it is none. */
  static Optional<Network> of(String text) {
    try {
      InetAddress address = InetAddress.ofLiteral(text);
      return Optional.of(
          address.getAddress().length == IPV4
              ? new Network(address, text, prefix(address, 2))
              : new Network(address, prefix(address, 8), prefix(address, 4)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String prefix(InetAddress address, int bytes) {
    byte[] all = address.getAddress();
    for (int i = bytes; i < all.length; i++) {
      all[i] = 0;
    }
    try {
      return InetAddress.getByAddress(all).getHostAddress() + "/" + bytes * 8;
    } catch (java.net.UnknownHostException e) {
      throw new IllegalStateException("an address has 4 or 16 bytes", e);
    }
  }
}
