package dev.gatehouse.common.realm;

import dev.gatehouse.common.http.Loopback;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a configuration by administrators of one realm may use. Administrators of all realms are not limited by it.
 *
 * @param hosts at which people reach the realm
 * @param upstreams servers of its apps
 * @param outbound destinations of the node's own connections for the realm
 */
public record RealmGrant(List<HostName> hosts, List<Server> upstreams, List<Destination> outbound) {

  /** Nothing. */
  public static final RealmGrant NONE = new RealmGrant(List.of(), List.of(), List.of());

  /**
   * A host, or all hosts below a domain.
   *
   * @param name lower case
   * @param isBelow whether it stands for all names below it, but not itself
   */
  public record HostName(String name, boolean isBelow) {

    /** Returns whether it is, or covers, that host of a URL. */
    public boolean covers(String host) {
      String asked = host.toLowerCase(Locale.ROOT);
      return isBelow ? asked.endsWith("." + name) && asked.length() > name.length() + 1 : asked.equals(name);
    }

    @Override
    public String toString() {
      return isBelow ? "*." + name : name;
    }
  }

  /** Servers of apps. */
  public sealed interface Server {
    /** A host with its port. */
    record Named(HostName host, int port) implements Server {
      @Override
      public String toString() {
        return host + ":" + port;
      }
    }

    /** All ports of addresses that a URL has literally; names are not looked up. */
    record Block(Cidr addresses) implements Server {
      @Override
      public String toString() {
        return addresses.network().getHostAddress() + "/" + addresses.prefixLength();
      }
    }
  }

  /** The scheme, host and port of a URL that the node connects to. */
  public record Destination(String scheme, HostName host, int port) {

    public boolean covers(Endpoint endpoint) {
      return scheme.equals(endpoint.scheme()) && port == endpoint.port() && host.covers(endpoint.host());
    }

    @Override
    public String toString() {
      return scheme + "://" + host + ":" + port;
    }
  }

  /**
   * The scheme, host and port of a configured URL.
   *
   * @param scheme lower case
   * @param host lower case; IPv6 in brackets
   */
  public record Endpoint(String scheme, String host, int port) {

    /** Returns the address that a host has without a lookup: a literal one, or loopback. */
    public Optional<InetAddress> address() {
      if (host.equals("localhost") || Loopback.isBelowLocalhost(host)) {
        return Optional.of(InetAddress.getLoopbackAddress());
      }
      try {
        return Optional.of(InetAddress.ofLiteral(host.replace("[", "").replace("]", "")));
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }
  }

  /** Returns whether people may reach the realm at that host. */
  public boolean permitsHost(String host) {
    return hosts.stream().anyMatch(granted -> granted.covers(host));
  }

  /** Returns whether an app may be there by name or address with its port, and not only by a block or a domain. */
  public boolean namesServer(Endpoint server) {
    return upstreams.stream()
        .anyMatch(
            granted ->
                granted instanceof Server.Named(HostName host, int port)
                    && !host.isBelow()
                    && port == server.port()
                    && host.covers(server.host()));
  }

  /** Returns whether an app may be there. */
  public boolean permitsServer(Endpoint server) {
    return upstreams.stream()
        .anyMatch(
            granted ->
                switch (granted) {
                  case Server.Named(HostName host, int port) -> port == server.port() && host.covers(server.host());
                  case Server.Block(Cidr addresses) -> literal(server).filter(addresses::contains).isPresent();
                });
  }

  private static Optional<InetAddress> literal(Endpoint server) {
    return server.host().endsWith("localhost") ? Optional.empty() : server.address();
  }

  /** Returns whether the node may connect there. */
  public boolean permitsOutbound(Endpoint destination) {
    return outbound.stream().anyMatch(granted -> granted.covers(destination));
  }
}
