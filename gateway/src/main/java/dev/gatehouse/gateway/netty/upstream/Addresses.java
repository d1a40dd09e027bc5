package dev.gatehouse.gateway.netty.upstream;

import dev.gatehouse.common.http.Loopback;
import dev.gatehouse.common.http.Origin;
import dev.gatehouse.gateway.netty.loop.BlockingTasks;
import io.netty.channel.EventLoop;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Resolves addresses of apps. Names are looked up on virtual threads and cached; names below {@code localhost} are
 * loopback without a lookup (RFC 6761, section 6.3). Connections rotate through all addresses of a name, and addresses
 * that refused a connection recently come last. A stale entry is used while it is looked up again.
 */
public final class Addresses {

  private static final long FRESH_NANOS = Duration.ofSeconds(30).toNanos();

  /**
   * Age after which a cached address must be looked up before it is used, because it may belong to another host by
   * then.
   */
  private static final long USABLE_NANOS = Duration.ofMinutes(5).toNanos();

  /** How long an address that refused a connection comes after the other addresses of its name. */
  private static final long SHUNNED_NANOS = Duration.ofSeconds(10).toNanos();

  private static final List<InetAddress> LOOPBACK = loopback();

  /** A blocking query to a name server. */
  interface Lookup {
    InetAddress[] all(String host) throws UnknownHostException;
  }

  /** The cached addresses of a name. */
  private static final class Known {
    final List<InetAddress> addresses;
    final long at;
    final AtomicInteger turn;
    final AtomicBoolean refreshing = new AtomicBoolean();

    Known(List<InetAddress> addresses, long at, AtomicInteger turn) {
      this.addresses = addresses;
      this.at = at;
      this.turn = turn;
    }
  }

  private final Lookup lookup;
  private final LongSupplier nanoTime;
  private final BiPredicate<InetAddress, Integer> closed;
  private final Map<String, Known> known = new ConcurrentHashMap<>();
  private final Map<InetAddress, Long> shunned = new ConcurrentHashMap<>();

  /** @param closed addresses with ports to which no name may lead: those of the administration */
  public Addresses(BiPredicate<InetAddress, Integer> closed) {
    this(InetAddress::getAllByName, System::nanoTime, closed);
  }

  Addresses(Lookup lookup, LongSupplier nanoTime, BiPredicate<InetAddress, Integer> closed) {
    this.lookup = lookup;
    this.nanoTime = nanoTime;
    this.closed = closed;
  }

  /**
   * Returns the addresses that may be connected to. What a URL has literally was checked when it was configured; a name may lead
   * elsewhere later.
   */
  List<InetAddress> open(Origin origin, List<InetAddress> found) {
    Predicate<InetAddress> isClosed = address -> closed.test(address, origin.port());
    return found.stream().noneMatch(isClosed) || fixed(origin.host()).isPresent()
        ? found
        : found.stream().filter(isClosed.negate()).toList();
  }

  /**
   * Calls {@code done} on the event loop, at once if the result is cached; with an empty list if the name has no
   * address.
   */
  void resolve(String host, EventLoop loop, Consumer<List<InetAddress>> done) {
    Optional<List<InetAddress>> fixed = fixed(host);
    if (fixed.isPresent()) {
      done.accept(fixed.get());
      return;
    }
    Known last = known.get(host);
    long age = last == null ? Long.MAX_VALUE : nanoTime.getAsLong() - last.at;
    if (last == null || age >= USABLE_NANOS) {
      // If the name server fails, the addresses that it returned before are used.
      ask(host, loop, last, found -> done.accept(byTurns(found)), () -> done.accept(last == null ? List.of() : byTurns(last)));
      return;
    }
    if (age >= FRESH_NANOS && last.refreshing.compareAndSet(false, true)) {
      ask(host, loop, last, found -> {}, () -> last.refreshing.set(false));
    }
    done.accept(byTurns(last));
  }

  private void ask(String host, EventLoop loop, @Nullable Known last, Consumer<Known> found, Runnable failed) {
    BlockingTasks.call(
        loop,
        () -> {
          AtomicInteger turn = last == null ? new AtomicInteger() : last.turn;
          Known fresh = new Known(List.of(lookup.all(host)), nanoTime.getAsLong(), turn);
          known.put(host, fresh);
          return fresh;
        },
        found,
        failure -> failed.run());
  }

  /** The addresses, rotated by one with each call; addresses that refused a connection recently come last. */
  private List<InetAddress> byTurns(Known name) {
    List<InetAddress> all = name.addresses;
    if (all.size() < 2) {
      return all;
    }
    int first = (name.turn.getAndIncrement() & Integer.MAX_VALUE) % all.size();
    List<InetAddress> ordered = new ArrayList<>(all.size());
    List<InetAddress> last = new ArrayList<>(0);
    for (int i = 0; i < all.size(); i++) {
      InetAddress address = all.get((first + i) % all.size());
      (isShunned(address) ? last : ordered).add(address);
    }
    ordered.addAll(last);
    return ordered;
  }

  /** Records that an address refused a connection. */
  void failed(InetAddress address) {
    shunned.put(address, nanoTime.getAsLong());
  }

  private boolean isShunned(InetAddress address) {
    Long since = shunned.isEmpty() ? null : shunned.get(address);
    if (since == null) {
      return false;
    }
    if (nanoTime.getAsLong() - since < SHUNNED_NANOS) {
      return true;
    }
    shunned.remove(address, since);
    return false;
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
