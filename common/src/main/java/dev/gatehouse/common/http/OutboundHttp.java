package dev.gatehouse.common.http;

import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Requests to addresses that an administrator configured or that a partner's metadata names. Bounded in time and size; names
 * below {@code .localhost} are loopback whatever the machine's resolver says (RFC 6761, section 6.3). Redirects are followed
 * only within the scheme, and neither from elsewhere to this machine nor back. One destination has so many connections and no
 * more, so that one that hangs costs the others nothing. Blocks: call on virtual threads only.
 *
 * @see PublicHttp for addresses that somebody else named
 */
public final class OutboundHttp implements AutoCloseable {

  private static final int MOST_REDIRECTS = 3;
  private static final HttpClientExchanges.Places PLACES = new HttpClientExchanges.Places(128, 1024);

  /**
   * Bounds of one request, redirects included.
   *
   * @param connect to open a connection
   * @param total from the call to the last byte: name lookup, connection, TLS, request and response
   * @param mostBytes of the body
   */
  public record Limits(Duration connect, Duration total, int mostBytes) {
    /** 5 s to connect, 10 s in all, 10 MB. */
    public static final Limits USUAL = new Limits(Duration.ofSeconds(5), Duration.ofSeconds(10), 10 << 20);
  }

  /** Why there was no response; its text names no address and fits into an answer to a stranger. */
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
    /** The final response, whatever its status; its location where it is a redirect that was not followed. */
    record Received(int status, byte[] body, Optional<String> location) implements Answer {}

    /**
     * No response, or one out of bounds.
     *
     * @param problem for logs and administrators; it may hold addresses
     */
    record Failed(Cause cause, String problem) implements Answer {}
  }

  private final Limits limits;
  private final HttpClientExchanges exchanges;

  /** Trusts the JDK's certificate authorities. */
  public OutboundHttp(Limits limits) {
    this(limits, OutboundTrust.with(List.of()));
  }

  public OutboundHttp(Limits limits, SSLContext tls) {
    this(limits, tls, PLACES, InetAddress::getAllByName);
  }

  OutboundHttp(Limits limits, SSLContext tls, HttpClientExchanges.Places places, AddressResolver.Lookup lookup) {
    this.limits = limits;
    this.exchanges =
        new HttpClientExchanges(new AddressResolver(AddressPolicy.any(), lookup), places, limits.connect(), tls);
  }

  /** GETs the http or https URL. */
  public Answer get(URI url, String accept) {
    OutboundRequest next =
        OutboundRequest.of(url, Headers.of("Accept", accept), Optional.empty(), limits.total(), limits.mostBytes());
    for (int redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
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
    return new Answer.Failed(Cause.ADDRESS_REFUSED, "redirects more than " + MOST_REDIRECTS + " times");
  }

  /**
   * POSTs to the http or https URL; no redirect is followed.
   *
   * @param headers Content-Type and Accept among them
   * @param total from the call to the last byte, instead of the usual limit
   * @param mostBytes of the answer's body, where the usual limit is not less
   */
  public Answer post(URI url, Headers headers, byte[] body, Duration total, int mostBytes) {
    return exchanges.exchange(
        OutboundRequest.of(url, headers, Optional.of(body), total, Math.min(mostBytes, limits.mostBytes())));
  }

  private static boolean isRedirect(int status) {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  }

  private static Optional<URI> target(URI from, String location) {
    try {
      URI to = from.resolve(location);
      boolean sameScheme = from.getScheme().equalsIgnoreCase(to.getScheme());
      boolean whole = to.getHost() != null && to.getRawUserInfo() == null;
      // Neither may a foreign server point us at this machine, nor may what was safe as loopback leave it in the clear.
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
