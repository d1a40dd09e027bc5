package dev.gatehouse.common.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hc.client5.http.psl.PublicSuffixMatcherLoader;

/** Identifies the owner of a host by its name or address. */
final class RegistrableDomain {

  /** Prefix length of networks that one customer usually gets (RFC 6177, section 2); for IPv4 the smallest routed network. */
  private static final int IPV6_BYTES = 6;

  private static final int IPV4_BYTES = 3;

  private RegistrableDomain() {}

  /** Returns the registrable domain by the public suffix list, or the name itself if it is not listed; for an address its network. */
  static String of(String host) {
    Optional<InetAddress> address = literal(host);
    if (address.isPresent()) {
      int length = address.get() instanceof Inet6Address ? IPV6_BYTES : IPV4_BYTES;
      return Arrays.toString(Arrays.copyOf(address.get().getAddress(), length));
    }
    String root = PublicSuffixMatcherLoader.getDefault().getDomainRoot(host);
    return root == null ? host : root;
  }

  /** Returns the address if the host is a literal address; IPv6 with or without brackets. */
  static Optional<InetAddress> literal(String host) {
    // Most hosts are names, for which an exception would cost more than everything else here.
    if (host.indexOf(':') < 0 && !Character.isDigit(host.charAt(host.length() - 1))) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.ofLiteral(host.startsWith("[") ? host.substring(1, host.length() - 1) : host));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
