package dev.gatehouse.idp.edge;

import dev.gatehouse.common.realm.Cidr;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Reads {@code X-Forwarded-For}, {@code -Proto} and {@code -Host} if they come from a trusted proxy. From any other
 * peer they are ignored.
 */
final class TrustedProxies {

  /** The client behind the proxies, and the scheme and authority that it addressed if the proxies state them. */
  record Forwarded(InetAddress client, Optional<String> scheme, Optional<String> authority) {}

  private final List<Cidr> trusted;

  TrustedProxies(List<Cidr> trusted) {
    this.trusted = List.copyOf(trusted);
  }

  /**
   * @param peer the address of the connection
   * @param header returns the values of a field name, in order
   */
  Forwarded of(InetAddress peer, java.util.function.Function<String, List<String>> header) {
    if (!isTrusted(peer)) {
      return new Forwarded(peer, Optional.empty(), Optional.empty());
    }
    return new Forwarded(
        client(peer, list(header.apply("X-Forwarded-For"))),
        nearest(header.apply("X-Forwarded-Proto")).filter(s -> s.equals("http") || s.equals("https")),
        nearest(header.apply("X-Forwarded-Host")));
  }

  /** The nearest address that is not one of our proxies: addresses before it are not trustworthy. */
  private InetAddress client(InetAddress peer, List<String> hops) {
    InetAddress client = peer;
    for (String hop : hops.reversed()) {
      Optional<InetAddress> address = literal(hop);
      if (address.isEmpty()) {
        return client;
      }
      client = address.get();
      if (!isTrusted(client)) {
        return client;
      }
    }
    return client;
  }

  boolean isTrusted(InetAddress address) {
    return trusted.stream().anyMatch(block -> block.contains(address));
  }

  private static Optional<String> nearest(List<String> values) {
    List<String> all = list(values);
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }

  private static List<String> list(List<String> values) {
    return values.stream()
        .flatMap(value -> Arrays.stream(value.split(",", -1)))
        .map(String::strip)
        .filter(value -> !value.isEmpty())
        .toList();
  }

  private static Optional<InetAddress> literal(String text) {
    try {
      return Optional.of(InetAddress.ofLiteral(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
