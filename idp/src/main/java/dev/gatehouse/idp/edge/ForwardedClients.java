package dev.gatehouse.idp.edge;

import dev.gatehouse.common.proxy.ForwardedElement;
import dev.gatehouse.common.proxy.ForwardedReader;
import dev.gatehouse.common.node.TrustedProxies;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads {@code X-Forwarded-For}, {@code -Proto} and {@code -Host}, or {@code Forwarded}, whichever the trusted proxies write. From
 * any other peer they are ignored.
 */
final class ForwardedClients {

  /** The client behind the proxies, and the scheme and authority that it addressed if the proxies state them. */
  record Forwarded(InetAddress client, Optional<String> scheme, Optional<String> authority) {}

  private final TrustedProxies proxies;

  ForwardedClients(TrustedProxies proxies) {
    this.proxies = proxies;
  }

  boolean isTrusted(InetAddress address) {
    return proxies.isTrusted(address);
  }

  /**
   * Reads what a trusted proxy states.
   *
   * @param peer the proxy
   * @param header returns the values of a field name, in order
   * @return empty if it is malformed
   */
  Optional<Forwarded> of(InetAddress peer, Function<String, List<String>> header) {
    return switch (proxies.fields()) {
      case FORWARDED -> ForwardedReader.read(header.apply("Forwarded")).map(elements -> of(peer, elements));
      case X_FORWARDED ->
          Optional.of(
              new Forwarded(
                  client(peer, list(header.apply("X-Forwarded-For")).stream().map(ForwardedClients::literal).toList()),
                  nearest(header.apply("X-Forwarded-Proto")).filter(s -> s.equals("http") || s.equals("https")),
                  nearest(header.apply("X-Forwarded-Host"))));
    };
  }

  /** The nearest proxy states scheme and authority. */
  private Forwarded of(InetAddress peer, List<ForwardedElement> elements) {
    InetAddress client = client(peer, elements.stream().map(ForwardedElement::client).toList());
    return elements.isEmpty()
        ? new Forwarded(client, Optional.empty(), Optional.empty())
        : new Forwarded(client, elements.getLast().scheme(), elements.getLast().authority());
  }

  /** The nearest address that is not one of our proxies: addresses before it are not trustworthy. */
  private InetAddress client(InetAddress peer, List<Optional<InetAddress>> hops) {
    InetAddress client = peer;
    for (Optional<InetAddress> address : hops.reversed()) {
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
