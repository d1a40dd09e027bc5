package dev.gatehouse.common.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.Optional;
import org.apache.hc.client5.http.psl.PublicSuffixMatcherLoader;

/** Which hosts have one owner, as far as their names or addresses say so. */
final class RegistrableDomain {

  /** Networks that are given to one customer as a rule (RFC 6177, section 2); of IPv4 the smallest that is routed. */
  private static final int IPV6_BYTES = 6;

  private static final int IPV4_BYTES = 3;

  private RegistrableDomain() {}

  /** What was registered, by the public suffix list; the name itself where that says nothing; the network of a literal address. */
  static String of(String host) {
    Optional<InetAddress> address = literal(host);
    if (address.isPresent()) {
      int length = address.get() instanceof Inet6Address ? IPV6_BYTES : IPV4_BYTES;
      return Arrays.toString(Arrays.copyOf(address.get().getAddress(), length));
    }
    String root = PublicSuffixMatcherLoader.getDefault().getDomainRoot(host);
    return root == null ? host : root;
  }

  /** The address that is written in place of a name; IPv6 with or without brackets. */
  static Optional<InetAddress> literal(String host) {
    // Most are names, for which an exception would cost more than all the rest.
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
