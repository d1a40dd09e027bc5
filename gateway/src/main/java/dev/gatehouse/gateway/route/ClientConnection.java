package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Cidr;
import dev.gatehouse.gateway.filter.ForwardedFields;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.Malformation;
import dev.gatehouse.gateway.message.RequestHead;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client connection as far as routing knows it: who is at the other end, and by which scheme. Remembers what the
 * last request was addressed to, because nearly every request of a connection has the same Host. Belongs to one event
 * loop.
 */
public final class ClientConnection {

  private static final byte[] NOTHING = new byte[0];

  private final InetAddress peer;
  private final String scheme;
  private final List<Cidr> trustedProxies;
  private final boolean peerTrusted;
  private final Supplier<List<X509Certificate>> certificates;

  private byte[] lastHost = NOTHING;
  private @Nullable Addressing last;
  private @Nullable RouteTable lastTable;

  /** Of a client that has shown no certificate. */
  public ClientConnection(InetAddress peer, boolean secure, List<Cidr> trustedProxies) {
    this(peer, secure, trustedProxies, List::of);
  }

  /** @param certificates that the client has proved, its own first; empty where it has shown none */
  public ClientConnection(
      InetAddress peer, boolean secure, List<Cidr> trustedProxies, Supplier<List<X509Certificate>> certificates) {
    this.certificates = certificates;
    this.peer = peer;
    this.scheme = secure ? "https" : "http";
    this.trustedProxies = trustedProxies;
    this.peerTrusted = isTrusted(peer);
  }

  /** The certificates that the client has proved in the handshake, its own first; empty where it has shown none. */
  public List<X509Certificate> certificates() {
    return certificates.get();
  }

  public InetAddress peer() {
    return peer;
  }

  /** Whether a trusted proxy is at the other end. */
  public boolean isPeerTrusted() {
    return peerTrusted;
  }

  public String scheme() {
    return scheme;
  }

  /** Whom the request is addressed to, by its Host and, from trusted proxies, their X-Forwarded fields. */
  public Addressing address(RouteTable table, RequestHead head) {
    if (peerTrusted || !head.authority().isEmpty()) {
      return look(table, head);
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
    Addressing fresh = look(table, head);
    lastHost = Arrays.copyOfRange(fields.bytes(), fields.valueStart(host), fields.valueEnd(host));
    lastTable = table;
    last = fresh;
    return fresh;
  }

  private Addressing look(RouteTable table, RequestHead head) {
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

  /** The origin that a trusted proxy says it was asked for; empty where it says something malformed. */
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

  /** A proxy that ended TLS and kept Host: where Host names no port, the default one is that of the real scheme. */
  private static String authorityFor(String proto, Origin asked) {
    return proto.equals(asked.scheme()) ? asked.authority() : asked.port() == 80 ? asked.host() : asked.authority();
  }

  /** The client, then the trusted proxies, nearest last: X-Forwarded-For walked from the right while it is trusted. */
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

  /** The one that the nearest proxy wrote. */
  private static Optional<String> lastElement(Fields fields, FieldName name) {
    List<String> values = fields.all(name);
    if (values.isEmpty()) {
      return Optional.empty();
    }
    String value = values.getLast();
    return Optional.of(value.substring(value.lastIndexOf(',') + 1).strip());
  }
}
