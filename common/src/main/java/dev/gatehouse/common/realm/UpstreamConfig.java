package dev.gatehouse.common.realm;

import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The servers of one app, and how requests are shared among them.
 *
 * @param servers all alike; at least one, and one at least that is no backup
 * @param health how they are asked whether they are well; not at all where empty
 * @param passive what requests tell of them
 */
public record UpstreamConfig(
    List<Server> servers,
    Balance balance,
    Optional<Health> health,
    Passive passive,
    Tls tls,
    Connections connections,
    Times times,
    Retries retries) {

  public UpstreamConfig {
    servers = List.copyOf(servers);
    if (servers.stream().allMatch(Server::backup)) {
      throw new IllegalArgumentException("an app has at least one server that is no backup");
    }
  }

  /**
   * Of a route whose requests another proxy serves, which asks us whether they may pass; here it answers nobody. The
   * name is reserved (RFC 6761, section 6.4), so that no mistake of ours can make it an app.
   */
  public static final UpstreamConfig NONE = of(URI.create("http://none.invalid"));

  /** Whether another proxy serves the route. */
  public boolean isNone() {
    return servers.equals(NONE.servers);
  }

  /** One server, and nothing special about it. */
  public static UpstreamConfig of(URI server) {
    return of(List.of(server));
  }

  /** These servers, and nothing special about them. */
  public static UpstreamConfig of(List<URI> servers) {
    return new UpstreamConfig(
        servers.stream().map(Server::of).toList(),
        new Balance.LeastOutstanding(),
        Optional.empty(),
        Passive.USUAL,
        Tls.PUBLIC,
        Connections.USUAL,
        Times.USUAL,
        Retries.USUAL);
  }

  /**
   * One server.
   *
   * @param url its origin, with an optional base path
   * @param weight its share, from 1
   * @param backup whether it is asked only while no other one is left
   */
  public record Server(URI url, int weight, boolean backup) {
    public static Server of(URI url) {
      return new Server(url, 1, false);
    }
  }

  /** Which server gets a request. */
  public sealed interface Balance {
    /** The one with the fewest requests for its weight. */
    record LeastOutstanding() implements Balance {}

    /** Always the same one for a client's address. */
    record ByAddress() implements Balance {}

    /** Always the same one for a session; for an address where there is none. */
    record BySession() implements Balance {}

    /** Always the same one for the value of a cookie; for an address where there is none. */
    record ByCookie(String name) implements Balance {}

    /** Always the same one for the value of a field; for an address where there is none. */
    record ByHeader(String name) implements Balance {}
  }

  /**
   * A server is asked every now and then.
   *
   * @param path with an optional query
   * @param statusLeast the least status that is well
   * @param statusMost the greatest one
   * @param healthy good answers in a row after which a server that was out is in again
   * @param unhealthy bad ones after which it is out
   */
  public record Health(
      String path, Duration every, Duration timeout, int statusLeast, int statusMost, int healthy, int unhealthy) {}

  /**
   * A server that fails this often without one success between is left alone for a while; then one request tries it.
   *
   * @param failures connections refused or reset, timeouts, and unreadable responses; 0 for never
   * @param window within which they count
   * @param statuses of the app's own responses that count as failures, too
   */
  public record Passive(int failures, Duration window, Duration outFor, Set<Integer> statuses) {
    public static final Passive USUAL = new Passive(3, Duration.ofSeconds(10), Duration.ofSeconds(10), Set.of());

    public Passive {
      statuses = Set.copyOf(statuses);
    }
  }

  /**
   * TLS with servers whose URL says https. Names are always verified.
   *
   * @param ca authorities; the JDK's where empty
   * @param serverName expected in the certificate and sent as SNI in place of the URL's host
   */
  public record Tls(List<X509Certificate> ca, Optional<ClientKey> client, Optional<String> serverName) {
    public static final Tls PUBLIC = new Tls(List.of(), Optional.empty(), Optional.empty());

    public Tls {
      ca = List.copyOf(ca);
    }
  }

  /**
   * The certificate that we show to servers.
   *
   * @param privateKey a PKCS#8 key in PEM
   */
  public record ClientKey(List<X509Certificate> chain, Secret privateKey) {
    public ClientKey {
      chain = List.copyOf(chain);
    }
  }

  /**
   * @param perServer requests at the same time; 0 for no limit
   * @param idle unused connections kept per server and event loop; the node's number where empty
   * @param keepAlive how long they are kept; as the node has it where empty
   */
  public record Connections(int perServer, Optional<Integer> idle, Optional<Duration> keepAlive) {
    public static final Connections USUAL = new Connections(0, Optional.empty(), Optional.empty());
  }

  /**
   * Time for each phase; the node's where empty.
   *
   * @param connect to open a connection
   * @param tls for the handshake on it
   * @param firstByte from the end of the request to the head of the response
   * @param betweenBytes between two parts of the response's body
   * @param whole from the begin of the request to the end of the response; no limit where empty
   */
  public record Times(
      Optional<Duration> connect,
      Optional<Duration> tls,
      Optional<Duration> firstByte,
      Optional<Duration> betweenBytes,
      Optional<Duration> whole) {
    public static final Times USUAL =
        new Times(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * How often a request that is safe to repeat goes to another server.
   *
   * @param most tries beside the first one
   * @param budget percent of an app's running requests that may be repeated ones at the same time
   */
  public record Retries(int most, int budget) {
    public static final Retries USUAL = new Retries(2, 50);
  }
}
