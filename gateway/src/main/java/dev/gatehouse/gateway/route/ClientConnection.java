package dev.gatehouse.gateway.route;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.node.TrustedProxies;
import dev.gatehouse.gateway.filter.ForwardedFields;
import dev.gatehouse.gateway.message.FieldName;
import dev.gatehouse.gateway.message.Fields;
import dev.gatehouse.gateway.message.Malformation;
import dev.gatehouse.gateway.message.RequestHead;
import dev.gatehouse.gateway.traffic.ConnectionCount;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.IntSupplier;
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
  private final TrustedProxies trustedProxies;
  private final boolean peerTrusted;
  private final Tls tls;

  private final ConnectionCount.OfAddress ofAddress;

  private byte[] lastHost = NOTHING;
  private @Nullable Addressing last;
  private @Nullable RouteTable lastTable;

  /** A connection of a client without a certificate. */
  public ClientConnection(InetAddress peer, boolean secure, TrustedProxies trustedProxies) {
    this(new Peer(peer, secure, false), trustedProxies, Tls.NONE, ConnectionCount.OfAddress.NONE);
  }

  /**
   * The other end of a connection.
   *
   * @param secure whether the client speaks TLS with us or with the balancer
   * @param anonymous whether a balancer did not say which client it is, so that its fields do not count
   */
  public record Peer(InetAddress address, boolean secure, boolean anonymous) {}

  /**
   * What the handshake tells, once it is over.
   *
   * @param certificates the certificates that the client proved, its own first; empty if it presented none
   * @param clientHello a digest of what the client offered; 0 without TLS
   */
  public record Tls(Supplier<List<X509Certificate>> certificates, IntSupplier clientHello) {
    static final Tls NONE = new Tls(List::of, () -> 0);
  }

  public ClientConnection(Peer peer, TrustedProxies trustedProxies, Tls tls, ConnectionCount.OfAddress ofAddress) {
    this.ofAddress = ofAddress;
    this.tls = tls;
    this.peer = peer.address();
    this.scheme = peer.secure() ? "https" : "http";
    this.trustedProxies = trustedProxies;
    this.peerTrusted = !peer.anonymous() && trustedProxies.isTrusted(peer.address());
  }

  /** The certificates that the client proved in the handshake, its own first; empty if it presented none. */
  public List<X509Certificate> certificates() {
    return tls.certificates().get();
  }

  /** Returns a digest of what the client's TLS library offered; 0 without TLS, and of a proxy, whose library is everybody's. */
  public int clientHello() {
    return peerTrusted ? 0 : tls.clientHello().getAsInt();
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
   * fields or Forwarded.
   *
   * @param described whether another proxy describes the request in a question, whose X-Forwarded fields state its origin in any case
   */
  public Addressing address(RouteTable table, RequestHead head, boolean described) {
    if (peerTrusted || !head.authority().isEmpty()) {
      return resolve(table, head, described);
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
    Addressing fresh = resolve(table, head, false);
    lastHost = Arrays.copyOfRange(fields.bytes(), fields.valueStart(host), fields.valueEnd(host));
    lastTable = table;
    last = fresh;
    return fresh;
  }

  private Addressing resolve(RouteTable table, RequestHead head, boolean described) {
    Optional<Origin> asked = head.fields().first(FieldName.HOST).flatMap(host -> Authority.origin(scheme, host));
    if (asked.isEmpty()) {
      return new Addressing.Malformed(Malformation.HOST);
    }
    if (!head.authority().isEmpty() && !Authority.origin(scheme, head.authority()).equals(asked)) {
      return new Addressing.Malformed(Malformation.AUTHORITY);
    }
    Optional<Stated> stated =
        peerTrusted
            ? Stated.of(head.fields(), peer, asked.get(), trustedProxies, described)
            : Optional.of(new Stated(List.of(peer), asked.get()));
    if (stated.isEmpty()) {
      return new Addressing.Malformed(
          trustedProxies.fields() == TrustedProxies.ForwardedFields.FORWARDED ? Malformation.FORWARDED : Malformation.HOST);
    }
    List<InetAddress> hops = stated.get().hops();
    Origin origin = stated.get().origin();
    return table
        .site(origin.host())
        .filter(site -> site.answersTo(origin))
        .<Addressing>map(
            site ->
                new Addressing.To(
                    new AddressedHost(table, site, origin, hops.getFirst(), ForwardedFields.encode(origin, hops))))
        .orElseGet(() -> new Addressing.Unknown(origin, hops.getFirst()));
  }
}
