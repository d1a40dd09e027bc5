package dev.gatehouse.common.realm;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The node's own configuration, {@code gatehouse.yaml}. Read once; a change needs a restart.
 *
 * @param data where embedded storage, made keys, fetched metadata and the audit log are kept
 * @param trustedProxies addresses whose Forwarded headers count
 * @param index which of the nodes that share the realms' URLs this one is, from 0: artifacts carry it
 * @param outbound calls that this node makes
 * @param gateway limits and logs of this node's gateway
 * @param space free space on the disks of data and audit log
 */
public record Node(
    Set<Role> roles,
    Listeners listeners,
    Storage storage,
    Path data,
    List<Cidr> trustedProxies,
    AuditConfig audit,
    int index,
    Outbound outbound,
    GatewayNodeConfig gateway,
    SpaceConfig space) {

  /** A node whose gateway is as usual. */
  public Node(
      Set<Role> roles,
      Listeners listeners,
      Storage storage,
      Path data,
      List<Cidr> trustedProxies,
      AuditConfig audit,
      int index,
      List<Cidr> outboundAllow) {
    this(
        roles, listeners, storage, data, trustedProxies, audit, index, new Outbound(outboundAllow, List.of()),
        GatewayNodeConfig.USUAL);
  }

  /** A node with the usual limits of free space. */
  public Node(
      Set<Role> roles,
      Listeners listeners,
      Storage storage,
      Path data,
      List<Cidr> trustedProxies,
      AuditConfig audit,
      int index,
      Outbound outbound,
      GatewayNodeConfig gateway) {
    this(roles, listeners, storage, data, trustedProxies, audit, index, outbound, gateway, SpaceConfig.USUAL);
  }

  /**
   * Listeners of each edge.
   *
   * @param admin plain HTTP on loopback unless configured
   * @param certificateLogin the idp's listener that asks for client certificates; always TLS
   * @param clientCertificates the idp's listener for OAuth clients, which takes any client certificate; always TLS
   */
  public record Listeners(
      List<Listener> idp, List<Listener> gateway, Listener admin, Optional<Listener> certificateLogin,
      Optional<Listener> clientCertificates) {}

  /**
   * One listening socket; TLS where there is a certificate. Port 0 takes a free one.
   *
   * @param tls for clients that ask for no name, or for one that no certificate has
   * @param further of the gateway: for clients that ask for their names
   * @param clientAuthorities of the gateway: a PEM file; clients are asked for a certificate of one of these, and need not show any
   */
  public record Listener(
      InetSocketAddress address, Optional<Tls> tls, List<Tls> further, Optional<Path> clientAuthorities) {

    /** With one certificate at most, asking for none. */
    public Listener(InetSocketAddress address, Optional<Tls> tls) {
      this(address, tls, List.of(), Optional.empty());
    }

    /** All of them, the default first. */
    public List<Tls> certificates() {
      return Stream.concat(tls.stream(), further.stream()).toList();
    }
  }

  /** A PEM certificate chain and its PKCS#8 private key. */
  public record Tls(Path certificate, Path privateKey) {}

  /**
   * Calls to partners, OpenID providers and addresses that OAuth clients named.
   *
   * @param allow addresses that are not public and to which calls may go nevertheless, when a client named them
   * @param authorities certificate authorities that count beside those of the JDK
   */
  public record Outbound(List<Cidr> allow, List<X509Certificate> authorities) {}

  /** Which stores are used. */
  public enum Storage {
    /** H2 and RocksDB in the data directory; what was acknowledged survives kill -9. */
    EMBEDDED,
    /** Memory only; for tests. */
    VOLATILE
  }

  /**
   * @param maxFileBytes a file is rotated at this size
   * @param keep rotated files older than this are removed
   */
  public record AuditConfig(Path directory, long maxFileBytes, Duration keep) {}
}
