package dev.gatehouse.common.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Resolves names within the deadline of the exchange and drops the addresses that the policy does not permit. HttpClient
 * connects to the addresses that this resolver returns and looks nothing up itself. A name server therefore cannot change its
 * answer between the check and the connection. Names of this machine are loopback whatever the resolver says (RFC 6761,
 * section 6.3).
 */
final class AddressResolver implements DnsResolver, AutoCloseable {

  /** The name has addresses, but the policy permits none of them. */
  static final class Refused extends UnknownHostException {
    private static final long serialVersionUID = 1;

    Refused() {
      super("the address is not public, and outbound.allow does not name it");
    }
  }

  /** The name server did not answer in time. */
  static final class TooLate extends UnknownHostException {
    private static final long serialVersionUID = 1;
  }

  /** Too many lookups are waiting for name servers. */
  static final class TooMany extends UnknownHostException {
    private static final long serialVersionUID = 1;

    TooMany(String message) {
      super(message);
    }
  }

  /** Resolves a name to addresses. */
  @FunctionalInterface
  interface Lookup {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  private static final InetAddress[] LOOPBACK = {InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1")};
  private static final int MAX_LOOKUPS = 32;
  private static final int MAX_WAITING = 256;

  /** Limit for names below one registrable domain: hanging name servers of one owner leave most threads to the others. */
  private static final int MAX_OF_A_DOMAIN = 8;

  private final AddressPolicy policy;
  private final Lookup lookup;
  private final ConcurrentHashMap<String, CompletableFuture<InetAddress[]>> running = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<String, Integer> lookupsPerDomain = new ConcurrentHashMap<>();

  /** Platform threads: the system's lookup blocks in native code, where it would pin the carrier thread of a virtual thread. */
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          MAX_LOOKUPS, MAX_LOOKUPS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MAX_WAITING),
          Thread.ofPlatform().daemon().name("gatehouse-lookup-", 0).factory());

  AddressResolver(AddressPolicy policy, Lookup lookup) {
    this.policy = policy;
    this.lookup = lookup;
    threads.allowCoreThreadTimeOut(true);
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    CurrentExchange exchange = CurrentExchange.CURRENT.get();
    exchange.enter(CurrentExchange.Phase.NAME_LOOKUP);
    boolean isHere = host.equals("localhost") || Loopback.isBelowLocalhost(host);
    // One loopback address only: a second one would hide why the first one failed.
    InetAddress[] permitted =
        Arrays.stream(isHere ? LOOPBACK : addresses(host, exchange))
            .filter(address -> policy.permits(exchange.origin(), address))
            .limit(isHere ? 1 : Long.MAX_VALUE)
            .toArray(InetAddress[]::new);
    if (permitted.length == 0) {
      throw new Refused();
    }
    exchange.enter(CurrentExchange.Phase.CONNECT);
    return permitted;
  }

  private InetAddress[] addresses(String host, CurrentExchange exchange) throws UnknownHostException {
    try {
      // Callers for one name share one lookup: a name server that hangs occupies one thread for that name.
      return running
          .computeIfAbsent(host, this::begin)
          .get(Math.max(0, exchange.outgoing().millisLeft()), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      throw new TooMany(String.valueOf(e.getMessage()));
    } catch (TimeoutException e) {
      throw new TooLate();
    } catch (ExecutionException e) {
      throw new UnknownHostException(host);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException(host);
    }
  }

  /** @throws RejectedExecutionException if too many lookups are waiting */
  private CompletableFuture<InetAddress[]> begin(String host) {
    String domain = RegistrableDomain.of(host);
    if (lookupsPerDomain.merge(domain, 1, Integer::sum) > MAX_OF_A_DOMAIN) {
      release(domain);
      throw new RejectedExecutionException(
          "the name was not looked up: " + MAX_OF_A_DOMAIN + " other names of " + domain + " wait for their name servers");
    }
    CompletableFuture<InetAddress[]> found = new CompletableFuture<>();
    try {
      threads.execute(() -> runLookup(host, domain, found));
    } catch (RejectedExecutionException e) {
      release(domain);
      throw new RejectedExecutionException(
          "the name was not looked up: " + (MAX_LOOKUPS + MAX_WAITING) + " other names wait for their name servers", e);
    }
    return found;
  }

  private void runLookup(String host, String domain, CompletableFuture<InetAddress[]> found) {
    try {
      InetAddress[] addresses = lookup.addresses(host);
      end(host, domain);
      found.complete(addresses);
    } catch (Throwable e) {
      // Errors are caught too: otherwise the future would stay in the map, and every later caller would wait for it.
      end(host, domain);
      found.completeExceptionally(e);
    }
  }

  private void end(String host, String domain) {
    running.remove(host);
    release(domain);
  }

  private void release(String domain) {
    lookupsPerDomain.computeIfPresent(domain, (name, count) -> count > 1 ? count - 1 : null);
  }

  @Override
  public String resolveCanonicalHostname(String host) {
    return host;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
