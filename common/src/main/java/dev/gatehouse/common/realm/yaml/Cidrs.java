package dev.gatehouse.common.realm.yaml;

import dev.gatehouse.common.realm.Cidr;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** Address blocks as administrators write them (RFC 4632, RFC 4291). */
public final class Cidrs {

  private Cidrs() {}

  /** Parses {@code 10.0.0.0/8}, or one address; refuses a block of all addresses, and bits right of the prefix. */
  public static Optional<Cidr> parse(YamlValue value) {
    String[] parts = value.text().split("/", -1);
    try {
      InetAddress address = InetAddress.ofLiteral(parts[0]);
      int bits = address.getAddress().length * 8;
      int prefix = parts.length == 1 ? bits : Integer.parseInt(parts[1]);
      if (parts.length <= 2 && prefix >= 0 && prefix <= bits) {
        return block(value, address, prefix);
      }
    } catch (IllegalArgumentException e) {
      // Reported below.
    }
    return value.wrong(value.shown() + " is not a block of addresses", "write one like 10.0.0.0/8, or one address");
  }

  private static Optional<Cidr> block(YamlValue value, InetAddress address, int prefix) {
    if (prefix == 0) {
      return value.wrong(value.shown() + " is every address there is", "name the addresses of your proxies");
    }
    InetAddress network = masked(address, prefix);
    if (!network.equals(address)) {
      return value.wrong(
          value.shown() + " has bits right of its prefix", "write " + network.getHostAddress() + "/" + prefix);
    }
    return Optional.of(new Cidr(network, prefix));
  }

  private static InetAddress masked(InetAddress address, int prefix) {
    byte[] bytes = address.getAddress();
    for (int bit = prefix; bit < bytes.length * 8; bit++) {
      bytes[bit / 8] &= (byte) ~(0x80 >> bit % 8);
    }
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalStateException("an address keeps its length", e);
    }
  }
}
