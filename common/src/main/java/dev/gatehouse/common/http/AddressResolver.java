package dev.gatehouse.common.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.DnsResolver;

/**
 * Resolves names within the deadline of the exchange and leaves out the addresses that the policy does not permit. HttpClient
 * connects to the addresses that it gets from here and looks nothing up itself, so that no name server can change its mind
 * between the check and the connection. Names of this machine are loopback whatever the resolver says (RFC 6761, section 6.3).
 */
final class AddressResolver implements DnsResolver, AutoCloseable {

  /** The addresses of a name exist, and none may be called. */
  static final class Refused extends UnknownHostException {
    private static final long serialVersionUID = 1;

    Refused() {
      super("the address is not public, and outbound.allow does not name it");
    }
  }

  /** No answer of the name server in time. */
  static final class TooLate extends UnknownHostException {
    private static final long serialVersionUID = 1;
  }

  /** How a name becomes addresses. */
  @FunctionalInterface
  interface Lookup {
    InetAddress[] addresses(String host) throws UnknownHostException;
  }

  private static final InetAddress[] LOOPBACK = {InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1")};
  private static final int MOST_LOOKUPS = 32;

  private final AddressPolicy policy;
  private final Lookup lookup;
  private final ConcurrentHashMap<String, CompletableFuture<InetAddress[]>> running = new ConcurrentHashMap<>();

  /** Platform threads: the system's lookup blocks in native code, where it would hold a carrier of virtual threads. */
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          MOST_LOOKUPS, MOST_LOOKUPS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(),
          Thread.ofPlatform().daemon().name("gatehouse-lookup-", 0).factory());

  AddressResolver(AddressPolicy policy, Lookup lookup) {
    this.policy = policy;
    this.lookup = lookup;
    threads.allowCoreThreadTimeOut(true);
  }

  @Override
  public InetAddress[] resolve(String host) throws UnknownHostException {
    Exchange exchange = Exchange.CURRENT.get();
    exchange.enter(Exchange.Phase.NAME_LOOKUP);
    boolean isHere = host.equals("localhost") || Loopback.isBelowLocalhost(host);
    // Of this machine one address: a second one would hide why the first one failed.
    InetAddress[] permitted =
        Arrays.stream(isHere ? LOOPBACK : addresses(host, exchange))
            .filter(address -> policy.permits(exchange.origin(), address))
            .limit(isHere ? 1 : Long.MAX_VALUE)
            .toArray(InetAddress[]::new);
    if (permitted.length == 0) {
      throw new Refused();
    }
    exchange.enter(Exchange.Phase.CONNECT);
    return permitted;
  }

  private InetAddress[] addresses(String host, Exchange exchange) throws UnknownHostException {
    try {
      // Callers for one name share one lookup: a name server that hangs holds one thread for it.
      return running
          .computeIfAbsent(host, this::begin)
          .get(Math.max(0, exchange.outgoing().millisLeft()), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new TooLate();
    } catch (ExecutionException e) {
      throw new UnknownHostException(host);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException(host);
    }
  }

  private CompletableFuture<InetAddress[]> begin(String host) {
    CompletableFuture<InetAddress[]> found = new CompletableFuture<>();
    threads.execute(
        () -> {
          try {
            InetAddress[] addresses = lookup.addresses(host);
            running.remove(host);
            found.complete(addresses);
          } catch (Throwable e) {
            // An Error too: the future would stay in the map, and every later caller would wait for it.
            running.remove(host);
            found.completeExceptionally(e);
          }
        });
    return found;
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
