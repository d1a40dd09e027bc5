package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.http.Loopback;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Addresses of apps. Names are looked up on virtual threads and remembered for a while; names below {@code
 * localhost} are loopback without asking anybody (RFC 6761, section 6.3).
 */
final class Addresses {

  private static final long FRESH_NANOS = Duration.ofSeconds(30).toNanos();

  private static final List<InetAddress> LOOPBACK = loopback();

  private record Known(List<InetAddress> addresses, long at) {}

  private final Map<String, Known> known = new ConcurrentHashMap<>();

  /** Calls {@code done} on the loop, at once where the answer is known; with nothing where there is none. */
  void resolve(String host, EventLoop loop, Consumer<List<InetAddress>> done) {
    Optional<List<InetAddress>> fixed = fixed(host);
    if (fixed.isPresent()) {
      done.accept(fixed.get());
      return;
    }
    Known last = known.get(host);
    if (last != null && System.nanoTime() - last.at() < FRESH_NANOS) {
      done.accept(last.addresses());
      return;
    }
    Blocking.call(
        loop,
        () -> List.of(InetAddress.getAllByName(host)),
        addresses -> {
          known.put(host, new Known(addresses, System.nanoTime()));
          done.accept(addresses);
        },
        // A name server that fails does not take away the app that it named before.
        failure -> done.accept(last == null ? List.of() : last.addresses()));
  }

  private static Optional<List<InetAddress>> fixed(String host) {
    if (host.equals("localhost") || Loopback.isBelowLocalhost(host)) {
      return Optional.of(LOOPBACK);
    }
    char first = host.charAt(0);
    if (first != '[' && (first < '0' || first > '9')) {
      return Optional.empty();
    }
    try {
      String literal = first == '[' ? host.substring(1, host.length() - 1) : host;
      return Optional.of(List.of(InetAddress.ofLiteral(literal)));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static List<InetAddress> loopback() {
    try {
      byte[] v6 = new byte[16];
      v6[15] = 1;
      return List.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), InetAddress.getByAddress(v6));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }
}
