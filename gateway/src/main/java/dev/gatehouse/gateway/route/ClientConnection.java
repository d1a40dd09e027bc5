package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.gateway.filter.ForwardedFields;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.Malformation;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.traffic.ConnectionCount;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client connection from the point of view of routing: its peer and its scheme. Remembers the result for the last
 * Host, because nearly all requests of a connection have the same one. Belongs to one event loop.
 */
public final class ClientConnection {

  private static final byte[] NOTHING = new byte[0];

  private final InetAddress peer;
  private final String scheme;
  private final List<Cidr> trustedProxies;
  private final boolean peerTrusted;
  private final Supplier<List<X509Certificate>> certificates;

  private final ConnectionCount.OfAddress ofAddress;

  private byte[] lastHost = NOTHING;
  private @Nullable Addressing last;
  private @Nullable RouteTable lastTable;

  /** A connection of a client without a certificate. */
  public ClientConnection(InetAddress peer, boolean secure, List<Cidr> trustedProxies) {
    this(peer, secure, trustedProxies, List::of, ConnectionCount.OfAddress.NONE);
  }

  /** @param certificates the certificates that the client proved, its own first; empty if it presented none */
  public ClientConnection(
      InetAddress peer,
      boolean secure,
      List<Cidr> trustedProxies,
      Supplier<List<X509Certificate>> certificates,
      ConnectionCount.OfAddress ofAddress) {
    this.ofAddress = ofAddress;
    this.certificates = certificates;
    this.peer = peer;
    this.scheme = secure ? "https" : "http";
    this.trustedProxies = trustedProxies;
    this.peerTrusted = isTrusted(peer);
  }

  /** The certificates that the client proved in the handshake, its own first; empty if it presented none. */
  public List<X509Certificate> certificates() {
    return certificates.get();
  }

  /** The connections of its address. */
  public ConnectionCount.OfAddress ofAddress() {
    return ofAddress;
  }

  public InetAddress peer() {
    return peer;
  }

  /** Returns whether the peer is a trusted proxy. */
  public boolean isPeerTrusted() {
    return peerTrusted;
  }

  public String scheme() {
    return scheme;
  }

  /**
   * Determines the host that the request is addressed to, by its Host and, from trusted proxies, their X-Forwarded
   * fields.
   */
  public Addressing address(RouteTable table, RequestHead head) {
    if (peerTrusted || !head.authority().isEmpty()) {
      return resolve(table, head);
    }
    Fields fields = head.fields();
    int host = fields.next(FieldName.HOST, 0);
    Addressing known = last;
    boolean same =
        Arrays.equals(
            fields.bytes(), fields.valueStart(host), fields.valueEnd(host), lastHost, 0, lastHost.length);
    if (known != null && lastTable == table && same) {
      return known;
    }
    Addressing fresh = resolve(table, head);
    lastHost = Arrays.copyOfRange(fields.bytes(), fields.valueStart(host), fields.valueEnd(host));
    lastTable = table;
    last = fresh;
    return fresh;
  }

  private Addressing resolve(RouteTable table, RequestHead head) {
    Optional<Origin> asked = head.fields().first(FieldName.HOST).flatMap(host -> Authority.origin(scheme, host));
    if (asked.isEmpty()) {
      return new Addressing.Malformed(Malformation.HOST);
    }
    if (!head.authority().isEmpty() && !Authority.origin(scheme, head.authority()).equals(asked)) {
      return new Addressing.Malformed(Malformation.AUTHORITY);
    }
    List<InetAddress> hops = hops(head.fields());
    Optional<Origin> effective = peerTrusted ? forwardedOrigin(head.fields(), asked.get()) : asked;
    if (effective.isEmpty()) {
      return new Addressing.Malformed(Malformation.HOST);
    }
    Origin origin = effective.get();
    return table
        .site(origin.host())
        .filter(site -> site.answersTo(origin))
        .<Addressing>map(
            site ->
                new Addressing.To(
                    new AddressedHost(table, site, origin, hops.getFirst(), ForwardedFields.encode(origin, hops))))
        .orElseGet(() -> new Addressing.Unknown(origin, hops.getFirst()));
  }

  /** The origin that the request to a trusted proxy had; empty if its fields are malformed. */
  private static Optional<Origin> forwardedOrigin(Fields fields, Origin asked) {
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

  /**
   * The client, then the trusted proxies, the nearest last: X-Forwarded-For is read from the right while the address is
   * trusted.
   */
  private List<InetAddress> hops(Fields fields) {
    List<InetAddress> hops = new ArrayList<>(2);
    hops.add(peer);
    if (!peerTrusted) {
      return hops;
    }
    String[] chain = String.join(",", fields.all(FieldName.X_FORWARDED_FOR)).split(",", -1);
    for (int i = chain.length - 1; i >= 0 && isTrusted(hops.getFirst()); i--) {
      try {
        hops.addFirst(InetAddress.ofLiteral(chain[i].strip()));
      } catch (IllegalArgumentException e) {
        break;
      }
    }
    return hops;
  }

  private boolean isTrusted(InetAddress address) {
    for (Cidr block : trustedProxies) {
      if (block.contains(address)) {
        return true;
      }
    }
    return false;
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
