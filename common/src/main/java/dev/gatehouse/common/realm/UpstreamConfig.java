package dev.gatehouse.common.realm;

import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The servers of one app, and the distribution of requests among them.
 *
 * @param servers equivalent servers; at least one of them is not a backup
 * @param health active health checks; none if empty
 * @param passive health derived from requests
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
   * The servers of a route whose requests another proxy serves; that proxy asks us whether they may pass, and a direct request
   * gets no app. The name is reserved (RFC 6761, section 6.4), so that no mistake of ours can reach an app.
   */
  public static final UpstreamConfig NONE = of(URI.create("http://none.invalid"));

  /** Returns whether another proxy serves the route. */
  public boolean isNone() {
    return servers.equals(NONE.servers);
  }

  /** Creates a configuration of one server with defaults. */
  public static UpstreamConfig of(URI server) {
    return of(List.of(server));
  }

  /** Creates a configuration of these servers with defaults. */
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
   * @param backup whether it is used only while no other server is available
   */
  public record Server(URI url, int weight, boolean backup) {
    public static Server of(URI url) {
      return new Server(url, 1, false);
    }
  }

  /** Selects the server for a request. */
  public sealed interface Balance {
    /** The one with the fewest requests for its weight. */
    record LeastOutstanding() implements Balance {}

    /** Always the same server for a client's address. */
    record ByAddress() implements Balance {}

    /** Always the same server for a session; for an address if there is none. */
    record BySession() implements Balance {}

    /** Always the same server for the value of a cookie; for an address if there is none. */
    record ByCookie(String name) implements Balance {}

    /** Always the same server for the value of a field; for an address if there is none. */
    record ByHeader(String name) implements Balance {}
  }

  /**
   * Active health checks of a server.
   *
   * @param path with an optional query
   * @param statusLeast the least status of a healthy server
   * @param statusMost the greatest status of a healthy server
   * @param healthy number of good responses in a row after which an unavailable server is available again
   * @param unhealthy number of bad responses in a row after which a server is unavailable
   */
  public record Health(
      String path, Duration every, Duration timeout, int statusLeast, int statusMost, int healthy, int unhealthy) {}

  /**
   * Passive health: a server that fails this often without a success in between is not used for a while; then one request tries it.
   *
   * @param failures connections refused or reset, timeouts, and unreadable responses; 0 for never
   * @param window the period in which failures are counted
   * @param statuses of the app's own responses that count as failures, too
   */
  public record Passive(int failures, Duration window, Duration outFor, Set<Integer> statuses) {
    public static final Passive USUAL = new Passive(3, Duration.ofSeconds(10), Duration.ofSeconds(10), Set.of());

    public Passive {
      statuses = Set.copyOf(statuses);
    }
  }

  /**
   * TLS to servers whose URL is https. Names are always verified.
   *
   * @param ca authorities; the JDK's if empty
   * @param serverName expected in the certificate and sent as SNI in place of the URL's host
   */
  public record Tls(List<X509Certificate> ca, Optional<ClientKey> client, Optional<String> serverName) {
    public static final Tls PUBLIC = new Tls(List.of(), Optional.empty(), Optional.empty());

    public Tls {
      ca = List.copyOf(ca);
    }
  }

  /**
   * The client certificate that we send to servers.
   *
   * @param privateKey a PKCS#8 key in PEM
   */
  public record ClientKey(List<X509Certificate> chain, Secret privateKey) {
    public ClientKey {
      chain = List.copyOf(chain);
    }
  }

  /**
   * Limits of connections.
   *
   * @param perServer requests at the same time; 0 for no limit
   * @param idle unused connections preserved per server and event loop; the node's number if empty
   * @param keepAlive how long they are preserved; the node's time if empty
   */
  public record Connections(int perServer, Optional<Integer> idle, Optional<Duration> keepAlive) {
    public static final Connections USUAL = new Connections(0, Optional.empty(), Optional.empty());
  }

  /**
   * Times of each phase; the node's if empty.
   *
   * @param connect to open a connection
   * @param tls for the handshake on it
   * @param firstByte from the end of the request to the head of the response
   * @param betweenBytes between two parts of the response's body
   * @param whole from the beginning of the request to the end of the response; no limit if empty
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
   * Repetition of requests that are safe to repeat, at another server.
   *
   * @param most further tries after the first
   * @param budget percentage of an app's running requests that may be repetitions at the same time
   */
  public record Retries(int most, int budget) {
    public static final Retries USUAL = new Retries(2, 50);
  }
}
