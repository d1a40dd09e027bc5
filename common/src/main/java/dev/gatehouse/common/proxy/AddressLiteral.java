package dev.gatehouse.common.proxy;

import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/** The text of an address as proxies write it: no short forms of IPv4, no leading zeros, no zones of IPv6. */
final class AddressLiteral {

  private static final String BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
  private static final Pattern V4 = Pattern.compile(BYTE + "(?:\\." + BYTE + "){3}");
  private static final Pattern V6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}");

  private AddressLiteral() {}

  static Optional<InetAddress> v4(String text) {
    return V4.matcher(text).matches() ? Optional.of(InetAddress.ofLiteral(text)) : Optional.empty();
  }

  /** Reads an IPv6 address. One that contains an IPv4 address (RFC 4291, section 2.5.5.2) is returned as that one. */
  static Optional<InetAddress> v6(String text) {
    if (text.indexOf(':') < 0 || !V6.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
