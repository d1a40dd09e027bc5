package dev.gatehouse.common.node;

import dev.gatehouse.common.http.LocalAddresses;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.realm.Cidr;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The node's own configuration, {@code gatehouse.yaml}. Read once; a change needs a restart.
 *
 * @param state where this node keeps its state
 * @param trustedProxies proxies and balancers whose statements about clients count
 * @param index number of this node, from 0, among the nodes that share the realms' URLs; artifacts of stores that are not shared contain it.
 *     Empty if the node takes a free one from the table of nodes
 * @param outbound calls of this node
 * @param gateway limits and logs of this node's gateway
 * @param space free space on the disks of data and audit log
 */
public record Node(
    Set<Role> roles,
    Listeners listeners,
    State state,
    TrustedProxies trustedProxies,
    AuditConfig audit,
    OptionalInt index,
    Outbound outbound,
    GatewayNodeConfig gateway,
    SpaceConfig space) {

  /** Creates a node with the usual gateway settings and limits of free space. */
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
        roles, listeners, new State(storage, data, Optional.empty()), TrustedProxies.of(trustedProxies), audit, OptionalInt.of(index),
        new Outbound(outboundAllow, List.of()), GatewayNodeConfig.USUAL, SpaceConfig.USUAL);
  }

  /** Returns the index of the address at which artifacts of this node are resolved: any node resolves those of shared stores. */
  public int artifactIndex() {
    return storage() == Storage.SHARED ? 0 : number();
  }

  /** Returns the number of this node, which is known once it has joined the others. */
  public int number() {
    return index.orElseThrow(() -> new IllegalStateException("The node has not taken an index yet"));
  }

  /** Returns this configuration with the number that the node has taken. */
  public Node numbered(int number) {
    return new Node(roles, listeners, state, trustedProxies, audit, OptionalInt.of(number), outbound, gateway, space);
  }

  /** Returns the kind of storage. */
  public Storage storage() {
    return state.storage();
  }

  /** Returns whether this node is a replica of one-time passwords, which serves nothing else. */
  public boolean isOtpReplica() {
    return state.shared().flatMap(SharedConfig::otp).filter(OtpServerConfig::isReplica).isPresent();
  }

  /** Returns the directory of embedded storage, generated keys, fetched metadata and the audit log. */
  public Path data() {
    return state.data();
  }

  /**
   * Where a node keeps its state.
   *
   * @param data the directory of embedded storage, generated keys, fetched metadata and the audit log
   * @param shared the stores of {@link Storage#SHARED}; empty for the others
   * @param tokens PKCS#11 tokens with private keys
   */
  public record State(Storage storage, Path data, Optional<SharedConfig> shared, List<Pkcs11Config> tokens) {

    /** Creates a state without tokens. */
    public State(Storage storage, Path data, Optional<SharedConfig> shared) {
      this(storage, data, shared, List.of());
    }

    /** Returns the shared stores; throws if this node has none. */
    public SharedConfig requireShared() {
      return shared.orElseThrow(() -> new IllegalStateException("storage: " + storage + " shares no stores"));
    }
  }

  /**
   * Listeners of each edge.
   *
   * @param admin plain HTTP on loopback unless configured
   * @param certificateLogin the idp's listener that asks for client certificates; always TLS
   * @param clientCertificates the idp's listener for OAuth clients, which accepts any client certificate; always TLS
   * @param metrics health and metrics, always plain HTTP
   * @param adminLogin the login of people at the admin listener; empty if only administrator keys open it
   * @param radius the idp's listeners for clients of RADIUS
   */
  public record Listeners(
      List<Listener> idp, List<Listener> gateway, Listener admin, Optional<Listener> certificateLogin,
      Optional<Listener> clientCertificates, Optional<Listener> metrics, Optional<AdminLogin> adminLogin, List<RadiusListener> radius) {

    /** Creates listeners without any for RADIUS. */
    public Listeners(
        List<Listener> idp, List<Listener> gateway, Listener admin, Optional<Listener> certificateLogin,
        Optional<Listener> clientCertificates, Optional<Listener> metrics, Optional<AdminLogin> adminLogin) {
      this(idp, gateway, admin, certificateLogin, clientCertificates, metrics, adminLogin, List.of());
    }

    /** Creates listeners without one for health and metrics, and without a login of people. */
    public Listeners(
        List<Listener> idp, List<Listener> gateway, Listener admin, Optional<Listener> certificateLogin,
        Optional<Listener> clientCertificates) {
      this(idp, gateway, admin, certificateLogin, clientCertificates, Optional.empty(), Optional.empty(), List.of());
    }

    /** Returns whether a connection to that address and port arrives at the administration, or at health and metrics. */
    public boolean isAdministration(InetAddress address, int port) {
      return arrives(Stream.concat(Stream.of(admin), metrics.stream()), address, port);
    }

    /** Returns whether a connection to that address and port arrives at a listener for people or clients. */
    public boolean isPublic(InetAddress address, int port) {
      Stream<Listener> asking = Stream.concat(certificateLogin.stream(), clientCertificates.stream());
      return arrives(Stream.concat(Stream.concat(idp.stream(), gateway.stream()), asking), address, port);
    }

    private static boolean arrives(Stream<Listener> listeners, InetAddress address, int port) {
      return listeners.anyMatch(listener -> LocalAddresses.arrivesAt(listener.address(), address, port));
    }

    /** Returns the same listeners with a login of people. */
    public Listeners with(Optional<AdminLogin> login) {
      return new Listeners(idp, gateway, admin, certificateLogin, clientCertificates, metrics, login, radius);
    }
  }

  /**
   * The login of people as administrators, at the identity provider of this node.
   *
   * @param realm whose people may be administrators
   * @param publicUrl the origin at which browsers reach the admin listener
   */
  public record AdminLogin(String realm, Origin publicUrl) {

    /** The client ID of the console in that realm; no configured client may have it. */
    public static final String CLIENT_ID = "gatehouse-console";

    /** The path to which the identity provider sends people back. */
    public static final String CALLBACK = "/console/login/callback";

    /** Returns the only redirect URI of the console. */
    public String redirectUri() {
      return publicUrl + CALLBACK;
    }
  }

  /**
   * One listening socket, with TLS if there is a certificate. Port 0 selects a free one.
   *
   * @param tls for clients that send no server name, or one that no certificate covers
   * @param further further certificates of the gateway, for clients that send their names
   * @param clientAuthorities PEM file of the gateway: clients are asked for a certificate of one of these authorities, but need
   *     not have one
   * @param proxyProtocol whether each connection comes from a trusted proxy and begins with a PROXY header
   */
  public record Listener(
      InetSocketAddress address, Optional<Tls> tls, List<Tls> further, Optional<Path> clientAuthorities, boolean proxyProtocol) {

    /** Creates a listener without the PROXY protocol. */
    public Listener(InetSocketAddress address, Optional<Tls> tls, List<Tls> further, Optional<Path> clientAuthorities) {
      this(address, tls, further, clientAuthorities, false);
    }

    /** Creates a listener with at most one certificate, which asks for no client certificate. */
    public Listener(InetSocketAddress address, Optional<Tls> tls) {
      this(address, tls, List.of(), Optional.empty());
    }

    /** Returns all certificates, the default first. */
    public List<Tls> certificates() {
      return Stream.concat(tls.stream(), further.stream()).toList();
    }
  }

  /**
   * A listener for clients of RADIUS: over UDP, or over TLS if it has a certificate and authorities of clients.
   *
   * @param realm whose people and clients it serves
   */
  public record RadiusListener(String realm, Listener listener) {

    /** Returns whether packets come over TLS. */
    public boolean isSecure() {
      return listener.tls().isPresent();
    }
  }

  /** A PEM certificate chain and its PKCS#8 private key. */
  public record Tls(Path certificate, Path privateKey) {}

  /**
   * Calls to partners, OpenID providers, addresses that OAuth clients named, and the mail server.
   *
   * @param allow addresses to which calls may go although they are not public, if a client named them
   * @param authorities certificate authorities trusted in addition to the JDK's
   * @param mail the server that takes mail; no mail is sent without one
   */
  public record Outbound(List<Cidr> allow, List<X509Certificate> authorities, Optional<SmtpConfig> mail) {

    /** Creates settings without a mail server. */
    public Outbound(List<Cidr> allow, List<X509Certificate> authorities) {
      this(allow, authorities, Optional.empty());
    }
  }

  /** The kind of storage. */
  public enum Storage {
    /** H2 and RocksDB in the data directory; acknowledged writes survive kill -9. */
    EMBEDDED,
    /** PostgreSQL and Valkey, for several nodes. */
    SHARED,
    /** Memory only; for tests. */
    VOLATILE
  }

  /**
   * Settings of the audit log.
   *
   * @param maxFileBytes the size at which a file is rotated
   * @param keep rotated files older than this are removed
   * @param searchable how long events are in the index; zero for no index
   * @param archive where old files go; empty if they stay until they are removed
   * @param syslog receivers of events
   * @param leftOut names of events that are not recorded
   * @param unsearchable names of events that are recorded, but not in the index
   */
  public record AuditConfig(
      Path directory,
      long maxFileBytes,
      Duration keep,
      Duration searchable,
      Optional<Archive> archive,
      List<SyslogReceiver> syslog,
      Set<String> leftOut,
      Set<String> unsearchable) {

    /** The usual time for which events can be searched. */
    private static final Duration SEARCHABLE = Duration.ofDays(90);

    /** Creates settings without archive and receivers, that leave nothing out. */
    public AuditConfig(Path directory, long maxFileBytes, Duration keep) {
      this(directory, maxFileBytes, keep, SEARCHABLE, Optional.empty(), List.of(), Set.of(), Set.of());
    }

    /**
     * An archive.
     *
     * @param after rotated files older than this are archived
     */
    public record Archive(Duration after, Path to) {}

    /**
     * A receiver of events by syslog over TLS.
     *
     * @param authorities that count for its certificate beside those of the JDK
     * @param leftOut names of events that it does not get
     */
    public record SyslogReceiver(String host, int port, List<X509Certificate> authorities, Set<String> leftOut) {

      /** Creates a receiver of all events. */
      public SyslogReceiver(String host, int port, List<X509Certificate> authorities) {
        this(host, port, authorities, Set.of());
      }
    }
  }
}
