package dev.gatehouse.common.http;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import javax.net.ssl.SSLContext;

/**
 * Sends requests to addresses that an administrator configured or that a partner's metadata names. Each request is bounded in
 * time and size. Names below {@code .localhost} are loopback whatever the machine's resolver says (RFC 6761, section 6.3).
 * Redirects are followed only within the scheme, and neither from elsewhere to this machine nor back. The number of
 * connections to one destination is limited, so that a destination that hangs does not affect the others. Blocks: call on
 * virtual threads only.
 *
 * @see PublicHttp for addresses that somebody other than the administrator named
 */
public final class OutboundHttp implements AutoCloseable {

  private static final int MAX_REDIRECTS = 3;
  private static final HttpClientExchanges.MaxConnections MAX_CONNECTIONS = new HttpClientExchanges.MaxConnections(128, 1024);

  /**
   * Bounds of one request, redirects included.
   *
   * @param connect to open a connection
   * @param total from the call to the last byte: name lookup, connection, TLS, request and response
   * @param maxBytes of the body
   */
  public record Limits(Duration connect, Duration total, int maxBytes) {
    /** 5 s to connect, 10 s in all, 10 MB. */
    public static final Limits USUAL = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(10), 10 << 20);
  }

  /** The reason why there was no response; its text names no address and is safe to show to strangers. */
  public enum Cause {
    ADDRESS_INVALID("it is not an http or https address without user name"),
    ADDRESS_REFUSED("its address is not one that may be called: not public, or not https"),
    NAME_UNKNOWN("its host name has no address"),
    TIMEOUT("it did not answer completely in time"),
    CONNECTION("no connection to it, or it broke"),
    TLS("its TLS certificate or handshake was not accepted"),
    TOO_LARGE("its answer is too large"),
    PROTOCOL("its answer is not HTTP/1.1");

    private final String text;

    Cause(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /** The outcome of a request. */
  public sealed interface Answer {
    /** The final response, whatever its status; with its location if it is a redirect that was not followed. */
    record Received(int status, byte[] body, Optional<String> location) implements Answer {}

    /**
     * No response, or one that exceeds a bound.
     *
     * @param problem for logs and administrators; it may contain addresses
     */
    record Failed(Cause cause, String problem) implements Answer {}
  }

  /** An outcome with the time that the server said in its response, if it did. */
  public record DatedAnswer(Answer answer, Optional<Instant> serverTime) {}

  private final Limits limits;
  private final HttpClientExchanges exchanges;

  /** Trusts the JDK's certificate authorities. */
  public OutboundHttp(Limits limits) {
    this(limits, OutboundTrust.with(List.of()));
  }

  public OutboundHttp(Limits limits, SSLContext tls) {
    this(limits, tls, (address, port) -> false);
  }

  /** @param closed addresses with ports that nothing connects to, whatever name leads there */
  public OutboundHttp(Limits limits, SSLContext tls, BiPredicate<InetAddress, Integer> closed) {
    this(limits, tls, MAX_CONNECTIONS, InetAddress::getAllByName, closed);
  }

  OutboundHttp(Limits limits, SSLContext tls, HttpClientExchanges.MaxConnections maxConnections, AddressResolver.Lookup lookup) {
    this(limits, tls, maxConnections, lookup, (address, port) -> false);
  }

  OutboundHttp(
      Limits limits,
      SSLContext tls,
      HttpClientExchanges.MaxConnections maxConnections,
      AddressResolver.Lookup lookup,
      BiPredicate<InetAddress, Integer> closed) {
    this.limits = limits;
    AddressResolver resolver = new AddressResolver(AddressPolicy.any().except(closed), lookup);
    this.exchanges = new HttpClientExchanges(resolver, maxConnections, limits.connect(), tls);
  }

  /** Sends a GET to the http or https URL. */
  public Answer get(URI url, String accept) {
    OutboundRequest next =
        OutboundRequest.of(url, Headers.of("Accept", accept), Optional.empty(), limits.total(), limits.maxBytes());
    for (int redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      Answer answer = exchanges.exchange(next);
      if (!(answer instanceof Answer.Received(int status, byte[] body, Optional<String> location))
          || !isRedirect(status)
          || location.isEmpty()) {
        return answer;
      }
      Optional<URI> target = target(next.url(), location.get());
      if (target.isEmpty()) {
        return new Answer.Failed(Cause.ADDRESS_REFUSED, "redirects to where it is not followed");
      }
      next = next.to(target.get());
    }
    return new Answer.Failed(Cause.ADDRESS_REFUSED, "redirects more than " + MAX_REDIRECTS + " times");
  }

  /** Sends a GET that follows no redirect, to a server that is known by its own certificate. */
  public Answer getOnce(URI url, String accept) {
    return exchanges.exchange(OutboundRequest.of(url, Headers.of("Accept", accept), Optional.empty(), limits.total(), limits.maxBytes()));
  }

  /**
   * Sends a POST to the http or https URL; redirects are not followed.
   *
   * @param headers with Content-Type and Accept
   * @param total from the call to the last byte, instead of the usual limit
   * @param maxBytes of the response's body; the usual limit applies too
   */
  public Answer post(URI url, Headers headers, byte[] body, Duration total, int maxBytes) {
    return exchanges.exchange(
        OutboundRequest.of(url, headers, Optional.of(body), total, Math.min(maxBytes, limits.maxBytes())));
  }

  private static boolean isRedirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  private static Optional<URI> target(URI from, String location) {
    try {
      URI to = from.resolve(location);
      boolean sameScheme = from.getScheme().equalsIgnoreCase(to.getScheme());
      boolean whole = to.getHost() != null && to.getRawUserInfo() == null;
      // A foreign server must not redirect us to this machine. A loopback request in the clear must not leave this machine.
      boolean sameSide = whole && Loopback.isName(to.getHost()) == Loopback.isName(from.getHost());
      return sameScheme && sameSide ? Optional.of(to) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    exchanges.close();
  }
}
