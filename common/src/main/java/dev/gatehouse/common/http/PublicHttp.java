package dev.gatehouse.common.http;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.DatedAnswer;
import dev.gatehouse.common.http.OutboundHttp.Limits;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;

/**
 * Sends requests to addresses that a stranger named: a client's keys, its request objects, its logout endpoint. Permits public
 * addresses by https, and addresses that the administrator allowed also in the clear. The address that is checked is the
 * address that is then connected to. Redirects are not followed. Blocks: call on virtual threads only.
 */
public final class PublicHttp implements AutoCloseable {

  private static final Limits USUAL = new Limits(Duration.ofSeconds(3), Duration.ofSeconds(5), 256 << 10);
  private static final HttpClientExchanges.MaxConnections MAX_CONNECTIONS = new HttpClientExchanges.MaxConnections(16, 256);

  private final Limits limits;
  private final HttpClientExchanges exchanges;

  /**
   * Limits each request to 3 s to connect, 5 s in all and a body of 256 KiB.
   *
   * @param allowed addresses that are permitted although they are not public, also in the clear
   */
  public PublicHttp(Predicate<InetAddress> allowed, SSLContext tls) {
    this(allowed, tls, (address, port) -> false);
  }

  /** @param closed addresses with ports that are not permitted, even if they are allowed */
  public PublicHttp(Predicate<InetAddress> allowed, SSLContext tls, BiPredicate<InetAddress, Integer> closed) {
    this(AddressPolicy.onlyPublic(allowed).except(closed), USUAL, tls, MAX_CONNECTIONS, InetAddress::getAllByName);
  }

  PublicHttp(
      Predicate<InetAddress> allowed,
      Limits limits,
      SSLContext tls,
      HttpClientExchanges.MaxConnections maxConnections,
      AddressResolver.Lookup lookup) {
    this(AddressPolicy.onlyPublic(allowed), limits, tls, maxConnections, lookup);
  }

  private PublicHttp(
      AddressPolicy policy,
      Limits limits,
      SSLContext tls,
      HttpClientExchanges.MaxConnections maxConnections,
      AddressResolver.Lookup lookup) {
    this.limits = limits;
    this.exchanges = new HttpClientExchanges(new AddressResolver(policy, lookup), maxConnections, limits.connect(), tls);
  }

  /** Trusts the JDK's certificate authorities. */
  public static PublicHttp of(Predicate<InetAddress> allowed) {
    return new PublicHttp(allowed, OutboundTrust.with(List.of()));
  }

  public Answer get(URI url, String accept) {
    return send(url, Headers.of("Accept", accept), Optional.empty());
  }

  /**
   * As {@link #get(URI, String)}, with bounds of its own.
   *
   * @param total from the call to the last byte
   * @param maxBytes of the body
   */
  public Answer get(URI url, String accept, Duration total, int maxBytes) {
    return exchanges.exchange(OutboundRequest.of(url, Headers.of("Accept", accept), Optional.empty(), total, maxBytes));
  }

  /** As {@link #get(URI, String)}, with the time that the server says. */
  public DatedAnswer dated(URI url, String accept) {
    return exchanges.dated(OutboundRequest.of(url, Headers.of("Accept", accept), Optional.empty(), limits.total(), limits.maxBytes()));
  }

  /** @param headers with Content-Type */
  public Answer post(URI url, Headers headers, byte[] body) {
    return send(url, headers, Optional.of(body));
  }

  private Answer send(URI url, Headers headers, Optional<byte[]> body) {
    return exchanges.exchange(OutboundRequest.of(url, headers, body, limits.total(), limits.maxBytes()));
  }

  @Override
  public void close() {
    exchanges.close();
  }
}
