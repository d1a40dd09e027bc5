package dev.gatehouse.common.http;

import dev.gatehouse.common.http.OutboundHttp.Answer;
import dev.gatehouse.common.http.OutboundHttp.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/**
 * Requests to addresses that a stranger named: a client's keys, its request objects, its logout endpoint. They go to
 * public addresses and to those that the administrator allowed; what is checked is the address that is then connected to,
 * so that no resolver can change its mind in between. In the clear only to allowed addresses. No redirect is followed.
 * Blocks: call on virtual threads only.
 */
public final class GuardedHttp {

  /** At once; more wait, within their own deadline. */
  private static final int MOST = 64;

  private final Predicate<InetAddress> allowed;
  private final Limits limits;
  private final SSLContext tls;
  private final Semaphore places = new Semaphore(MOST);

  /** @param allowed addresses that are not public and may be asked nevertheless; in the clear, too */
  public GuardedHttp(Predicate<InetAddress> allowed, Limits limits, SSLContext tls) {
    this.allowed = allowed;
    this.limits = limits;
    this.tls = tls;
  }

  /** Trusts the JDK's certificate authorities; 3 s to connect, 5 s in all, 256 KiB. */
  public static GuardedHttp of(Predicate<InetAddress> allowed) {
    try {
      return new GuardedHttp(
          allowed, new Limits(Duration.ofSeconds(3), Duration.ofSeconds(5), 256 << 10), SSLContext.getDefault());
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has a default TLS context", e);
    }
  }

  public Answer get(URI url, String accept) {
    return send(
        Outgoing.of(
            url, Headers.of("Accept", accept).and("Connection", "close"), Optional.empty(), limits.total(),
            limits.mostBytes()));
  }

  /** @param headers Content-Type among them */
  public Answer post(URI url, Headers headers, byte[] body) {
    return send(
        Outgoing.of(
            url, headers.and("Connection", "close"), Optional.of(body), limits.total(), limits.mostBytes()));
  }

  private Answer send(Outgoing outgoing) {
    URI url = outgoing.url();
    Origin origin;
    try {
      origin = Origin.of(url);
    } catch (IllegalArgumentException e) {
      return new Answer.Failed("not an http or https address");
    }
    if (url.getRawUserInfo() != null) {
      return new Answer.Failed("the address has a user name");
    }
    try {
      if (!places.tryAcquire(outgoing.millisLeft(), TimeUnit.MILLISECONDS)) {
        return new Answer.Failed("too many requests like this at once");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new Answer.Failed("interrupted");
    }
    try {
      return exchange(outgoing, origin);
    } finally {
      places.release();
    }
  }

  private Answer exchange(Outgoing outgoing, Origin origin) {
    try {
      Optional<InetAddress> address = addresses(origin.host()).filter(a -> isPermitted(origin, a)).findFirst();
      if (address.isEmpty()) {
        return new Answer.Failed("the address is not public, and outbound.allow does not name it");
      }
      try (DirectConnection connection =
          DirectConnection.open(origin, address.get(), limits.connect(), tls.getSocketFactory(), outgoing)) {
        return connection.exchange(outgoing);
      }
    } catch (SocketTimeoutException e) {
      return new Answer.Failed(outgoing.tooLate());
    } catch (IOException e) {
      return new Answer.Failed(OutboundHttp.problem(e));
    }
  }

  private boolean isPermitted(Origin origin, InetAddress address) {
    return allowed.test(address) || (origin.isSecure() && PublicAddresses.isPublic(address));
  }

  /** Names of this machine are loopback whatever the resolver says (RFC 6761, section 6.3). */
  private static Stream<InetAddress> addresses(String host) throws UnknownHostException {
    if (host.equals("localhost") || Loopback.isBelowLocalhost(host)) {
      return List.of("127.0.0.1", "::1").stream().map(InetAddress::ofLiteral);
    }
    return Stream.of(InetAddress.getAllByName(host));
  }
}
