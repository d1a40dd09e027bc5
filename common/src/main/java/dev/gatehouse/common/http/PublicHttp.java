package dev.gatehouse.common.http;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Limits;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;

/**
 * Requests to addresses that a stranger named: a client's keys, its request objects, its logout endpoint. They go to public
 * addresses and to those that the administrator allowed; what is checked is the address that is then connected to. In the
 * clear only to allowed addresses. No redirect is followed. Blocks: call on virtual threads only.
 */
public final class PublicHttp implements AutoCloseable {

  private static final Limits USUAL = new Limits(Duration.ofSeconds(3), Duration.ofSeconds(5), 256 << 10);
  private static final HttpClientExchanges.Places PLACES = new HttpClientExchanges.Places(16, 256);

  private final Limits limits;
  private final HttpClientExchanges exchanges;

  /**
   * 3 s to connect, 5 s in all, 256 KiB.
   *
   * @param allowed addresses that are not public and may be asked nevertheless; in the clear, too
   */
  public PublicHttp(Predicate<InetAddress> allowed, SSLContext tls) {
    this(allowed, USUAL, tls, PLACES, InetAddress::getAllByName);
  }

  PublicHttp(
      Predicate<InetAddress> allowed,
      Limits limits,
      SSLContext tls,
      HttpClientExchanges.Places places,
      AddressResolver.Lookup lookup) {
    this.limits = limits;
    this.exchanges =
        new HttpClientExchanges(
            new AddressResolver(AddressPolicy.onlyPublic(allowed), lookup), places, limits.connect(), tls);
  }

  /** Trusts the JDK's certificate authorities. */
  public static PublicHttp of(Predicate<InetAddress> allowed) {
    return new PublicHttp(allowed, OutboundTrust.with(List.of()));
  }

  public Answer get(URI url, String accept) {
    return send(url, Headers.of("Accept", accept), Optional.empty());
  }

  /** @param headers Content-Type among them */
  public Answer post(URI url, Headers headers, byte[] body) {
    return send(url, headers, Optional.of(body));
  }

  private Answer send(URI url, Headers headers, Optional<byte[]> body) {
    return exchanges.exchange(OutboundRequest.of(url, headers, body, limits.total(), limits.mostBytes()));
  }

  @Override
  public void close() {
    exchanges.close();
  }
}
