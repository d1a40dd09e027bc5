package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.proxy.ForwardedElement;
import dev.gatehouse.common.proxy.ForwardedReader;
import dev.gatehouse.common.node.TrustedProxies;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What trusted proxies state about a request.
 *
 * @param hops the client, then the trusted proxies, the nearest last
 * @param origin the origin that the client's request had
 */
record Stated(List<InetAddress> hops, Origin origin) {

  /**
   * Reads the fields that the proxies write.
   *
   * @param peer a trusted proxy
   * @param asked the origin of the request as it arrived
   * @param described whether the request is described in a question: our own code has written its X-Forwarded-Proto and -Host
   * @return empty if the fields are malformed
   */
  static Optional<Stated> of(Fields fields, InetAddress peer, Origin asked, TrustedProxies proxies, boolean described) {
    return switch (proxies.fields()) {
      case X_FORWARDED -> byParts(fields, asked).map(origin -> new Stated(hops(fields, peer, proxies), origin));
      case FORWARDED ->
          ForwardedReader.read(fields.all(FieldName.FORWARDED))
              .flatMap(
                  all ->
                      described
                          ? byParts(fields, asked).map(origin -> new Stated(hops(all, peer, proxies), origin))
                          : byElements(all, peer, asked, proxies));
    };
  }

  /** Forwarded is read from the right while the address is trusted. */
  private static List<InetAddress> hops(List<ForwardedElement> elements, InetAddress peer, TrustedProxies proxies) {
    List<InetAddress> hops = new ArrayList<>(2);
    hops.add(peer);
    for (ForwardedElement element : elements.reversed()) {
      if (!proxies.isTrusted(hops.getFirst()) || element.client().isEmpty()) {
        break;
      }
      hops.addFirst(element.client().get());
    }
    return hops;
  }

  /** The nearest proxy states the origin. */
  private static Optional<Stated> byElements(
      List<ForwardedElement> elements, InetAddress peer, Origin asked, TrustedProxies proxies) {
    List<InetAddress> hops = hops(elements, peer, proxies);
    if (elements.isEmpty()) {
      return Optional.of(new Stated(hops, asked));
    }
    String scheme = elements.getLast().scheme().orElse(asked.scheme());
    String authority = elements.getLast().authority().orElseGet(() -> authorityFor(scheme, asked));
    return Authority.origin(scheme, authority).map(origin -> new Stated(hops, origin));
  }

  /** The origin of the X-Forwarded fields; empty if they are malformed. */
  private static Optional<Origin> byParts(Fields fields, Origin asked) {
    String proto = lastElement(fields, FieldName.X_FORWARDED_PROTO).orElse(asked.scheme());
    if (!proto.equals("http") && !proto.equals("https")) {
      return Optional.empty();
    }
    Optional<String> host = lastElement(fields, FieldName.X_FORWARDED_HOST);
    Optional<String> port = lastElement(fields, FieldName.X_FORWARDED_PORT);
    Optional<Origin> named = Authority.origin(proto, host.orElseGet(() -> authorityFor(proto, asked)));
    if (port.isEmpty() || named.isEmpty()) {
      return named;
    }
    return Authority.origin(proto, named.get().host() + ":" + port.get());
  }

  /**
   * For a proxy that terminates TLS and forwards Host: if Host names no port, the default port of the original scheme
   * applies.
   */
  private static String authorityFor(String proto, Origin asked) {
    return proto.equals(asked.scheme()) ? asked.authority() : asked.port() == 80 ? asked.host() : asked.authority();
  }

  /** X-Forwarded-For is read from the right while the address is trusted. */
  private static List<InetAddress> hops(Fields fields, InetAddress peer, TrustedProxies proxies) {
    List<InetAddress> hops = new ArrayList<>(2);
    hops.add(peer);
    String[] chain = String.join(",", fields.all(FieldName.X_FORWARDED_FOR)).split(",", -1);
    for (int i = chain.length - 1; i >= 0 && proxies.isTrusted(hops.getFirst()); i--) {
      try {
        hops.addFirst(InetAddress.ofLiteral(chain[i].strip()));
      } catch (IllegalArgumentException e) {
        break;
      }
    }
    return hops;
  }

  /** The element that the nearest proxy wrote. */
  private static Optional<String> lastElement(Fields fields, FieldName name) {
    List<String> values = fields.all(name);
    if (values.isEmpty()) {
      return Optional.empty();
    }
    String value = values.getLast();
    return Optional.of(value.substring(value.lastIndexOf(',') + 1).strip());
  }
}
