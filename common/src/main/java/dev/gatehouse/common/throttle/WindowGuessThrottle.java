package dev.gatehouse.common.throttle;

import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.realm.ThrottleConfig;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

/**
 * Limits over a sliding window: of the tries within any {@code window}, at most {@code perAccount} wrong ones at an account by each
 * {@link GuessSource}, and {@code perAddress} by strangers at an address, reach the verification of the password.
 *
 * <ul>
 *   <li>An IPv6 address counts as its /64, which is what providers assign; all of a /48 together may fail {@value #SITE} times as
 *       often, and so may all people of an OAuth client together.
 *   <li>The address is checked first. A try that it refuses does not count against the account: credential stuffing from one address
 *       slows that address and locks nobody else out.
 *   <li>A try that the account refuses does not count against the address: nothing was guessed.
 *   <li>Success clears the earlier failures at the account by the same source, and the same account's failures at the address. Typing
 *       errors of a thousand people behind one address therefore cost it nothing, and success at an account of one's own frees no
 *       guess at another. Guesses that began later still count.
 *   <li>A try without a result is not a failure. If open tries use up the remaining ones, others wait for them, up to {@code
 *       patience}.
 * </ul>
 *
 * <p>The counts are in the memory of this node, where a restart clears them and {@link FailureCounters} explains why nothing else does; or
 * they are shared, and count for all nodes.
 */
public final class WindowGuessThrottle implements GuessThrottle {

  /** Number of addresses that may use up their limits before their whole site is slowed. */
  private static final int SITE = 10;

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration LEAST_WAIT = Duration.ofSeconds(1);
  /** Interval after which a waiting caller tries again in any case: its turn may have gone to a caller that another limit refused. */
  private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

  private static final Duration BUSY_WAIT = Duration.ofSeconds(5);
  private static final int NETWORK_BYTES = 8;
  private static final int SITE_BYTES = 6;

  private final InstantSource time;
  private final Duration patience;
  private final PermitCounters accounts;
  private final PermitCounters addresses;

  /** Wrong secrets of clients. */
  private final PermitCounters secrets;

  /**
   * Those of clients that do not exist. Separate, because anybody can invent names, which would displace other counters; in the memory of
   * this node, where their number is limited, because they would fill a shared store.
   */
  private final PermitCounters invented;

  private final LongAdder byAccount = new LongAdder();
  private final LongAdder byAddress = new LongAdder();
  private final LongAdder busy = new LongAdder();

  public WindowGuessThrottle(InstantSource time) {
    this(time, PATIENCE, name -> new FailureCounters());
  }

  WindowGuessThrottle(InstantSource time, int capacity, Duration patience) {
    this(time, patience, name -> new FailureCounters(capacity), capacity);
  }

  /** @param counters creates the counters of accounts and addresses, each of which may also count for other nodes */
  public WindowGuessThrottle(InstantSource time, Function<String, PermitCounters> counters) {
    this(time, PATIENCE, counters);
  }

  WindowGuessThrottle(InstantSource time, Duration patience, Function<String, PermitCounters> counters) {
    this(time, patience, counters, FailureCounters.CAPACITY);
  }

  private WindowGuessThrottle(InstantSource time, Duration patience, Function<String, PermitCounters> counters, int capacity) {
    this.time = time;
    this.patience = patience;
    this.accounts = counters.apply("accounts");
    this.addresses = counters.apply("addresses");
    this.secrets = counters.apply("secrets");
    this.invented = new FailureCounters(capacity);
  }

  /**
   * One limit that a try must pass.
   *
   * @param who the party charged, if several share the limit
   */
  private record Limit(PermitCounters counters, String key, String who, int most, boolean isAccounts) {}

  /** A permit of a limit. */
  private record Held(Limit limit, long permit) {}

  @Override
  public Admission admit(String realm, String loginName, GuessSource by, ThrottleConfig limits) {
    // Normal forms of names have no control characters, so that keys are unique.
    String account = accountKey(realm, loginName);
    List<Limit> all = new ArrayList<>();
    switch (by) {
      case GuessSource.Stranger(InetAddress address) -> {
        all.addAll(addresses(realm, account, address, limits));
        all.add(account(account, limits));
      }
      case GuessSource.KnownDevice(String id) -> all.add(account(account + "\0device\0" + id, limits));
      case GuessSource.OAuthClient(String id) -> {
        all.add(new Limit(addresses, realm + "\0client\0" + id, account, limits.perAddress() * SITE, false));
        all.add(account(account + "\0client\0" + id, limits));
      }
    }
    return take(all, limits.window());
  }

  @Override
  public Admission admitCode(String realm, String person, InetAddress client, ThrottleConfig limits) {
    // This key cannot be equal to that of an account's password.
    String account = codeKey(realm, person);
    List<Limit> all = new ArrayList<>(addresses(realm, account, client, limits));
    all.add(account(account, limits));
    return take(all, limits.window());
  }

  @Override
  public Optional<Duration> secretsRefused(
      String realm, String clientId, InetAddress address, ThrottleConfig limits) {
    if (secrets.isEmpty()) {
      return Optional.empty();
    }
    return secrets
        .full(secretKey(realm, clientId, address), limits.perAccount(), time.instant())
        .map(WindowGuessThrottle::atLeastASecond);
  }

  @Override
  public Optional<Duration> secretWasWrong(
      String realm, String clientId, boolean known, InetAddress address, ThrottleConfig limits) {
    PermitCounters counters = known ? secrets : invented;
    String key = secretKey(realm, clientId, address);
    return switch (counters.take(key, "", limits.perAccount(), limits.window(), time.instant())) {
      case PermitCounters.Answer.Taken(long permit) -> {
        counters.fail(key, permit);
        yield Optional.empty();
      }
      case PermitCounters.Answer.Full(Duration wait) -> Optional.of(atLeastASecond(wait));
      // Other callers hold permits between the two calls above.
      case PermitCounters.Answer.Crowded crowded -> Optional.of(LEAST_WAIT);
    };
  }

  @Override
  public Failures failures(String realm, String loginName, String person, ThrottleConfig limits) {
    Instant now = time.instant();
    String passwords = accountKey(realm, loginName);
    String codes = codeKey(realm, person);
    return new Failures(
        accounts.failed(passwords, now),
        accounts.failed(codes, now),
        accounts.full(passwords, limits.perAccount(), now).map(WindowGuessThrottle::atLeastASecond),
        accounts.full(codes, limits.perAccount(), now).map(WindowGuessThrottle::atLeastASecond));
  }

  @Override
  public int forget(String realm, String loginName, String person) {
    Instant now = time.instant();
    return accounts.forget(accountKey(realm, loginName), now) + accounts.forget(codeKey(realm, person), now);
  }

  private static String accountKey(String realm, String loginName) {
    return realm + '\0' + LoginNames.counted(loginName);
  }

  private static String codeKey(String realm, String person) {
    return realm + "\0\0" + person;
  }

  private static String secretKey(String realm, String clientId, InetAddress address) {
    return realm + "\0\1" + network(address, NETWORK_BYTES) + '\0' + clientId;
  }

  private Limit account(String key, ThrottleConfig limits) {
    return new Limit(accounts, key, "", limits.perAccount(), true);
  }

  private List<Limit> addresses(String realm, String account, InetAddress client, ThrottleConfig limits) {
    Limit address =
        new Limit(addresses, realm + '\0' + network(client, NETWORK_BYTES), account, limits.perAddress(), false);
    return client instanceof Inet6Address
        ? List.of(
            address,
            new Limit(
                addresses, realm + '\0' + network(client, SITE_BYTES), account, limits.perAddress() * SITE, false))
        : List.of(address);
  }

  /** The result of requesting all permits of a try. */
  private sealed interface Answer {
    record Decided(Admission admission) implements Answer {}

    record Crowded(Limit limit, Optional<CompletableFuture<Void>> change) implements Answer {}
  }

  /** Adds the metrics of the throttle. */
  public void publish(MetricFamilies metrics) {
    SampleFamily.builder("gatehouse.throttle.refusals")
        .description("Tries of passwords and codes that were refused without verification")
        .tag("by")
        .counter(
            () ->
                Map.of(
                    List.of("account"), (double) byAccount.sum(),
                    List.of("address"), (double) byAddress.sum(),
                    List.of("busy"), (double) busy.sum()))
        .register(metrics);
  }

  private Admission take(List<Limit> limits, Duration window) {
    Admission admission = takeWithin(limits, window);
    switch (admission) {
      case Admission.Refused refused when refused.byAccount() -> byAccount.increment();
      case Admission.Refused refused -> byAddress.increment();
      case Admission.Busy waited -> busy.increment();
      case Admission.Admitted admitted -> {}
    }
    return admission;
  }

  private Admission takeWithin(List<Limit> limits, Duration window) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      switch (takeNow(limits, window)) {
        case Answer.Decided(Admission admission) -> {
          return admission;
        }
        case Answer.Crowded(Limit limit, var change) -> {
          long left = deadline - System.nanoTime();
          if (change.isEmpty() || left <= 0 || !awaitChange(change.get(), Math.min(left, LOOK_AGAIN.toNanos()))) {
            change.ifPresent(waiting -> limit.counters().leave(limit.key(), waiting));
            return new Admission.Busy(BUSY_WAIT);
          }
          limit.counters().leave(limit.key(), change.get());
        }
      }
    }
  }

  private Answer takeNow(List<Limit> limits, Duration window) {
    Instant now = time.instant();
    List<Held> held = new ArrayList<>(limits.size());
    for (Limit limit : limits) {
      switch (limit.counters().take(limit.key(), limit.who(), limit.most(), window, now)) {
        case PermitCounters.Answer.Taken(long permit) -> held.add(new Held(limit, permit));
        case PermitCounters.Answer.Full(Duration wait) -> {
          giveBack(held);
          return new Answer.Decided(new Admission.Refused(limit.isAccounts(), atLeastASecond(wait)));
        }
        case PermitCounters.Answer.Crowded(var change) -> {
          giveBack(held);
          return new Answer.Crowded(limit, change);
        }
      }
    }
    return new Answer.Decided(new Permits(held));
  }

  /** Returns false if this thread is to stop. */
  private static boolean awaitChange(CompletableFuture<Void> change, long nanos) {
    try {
      change.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("nobody completes it with a fault", e);
    }
    return true;
  }

  private static void giveBack(List<Held> held) {
    held.forEach(one -> one.limit().counters().giveBack(one.limit().key(), one.permit()));
  }

  private static Duration atLeastASecond(Duration wait) {
    return wait.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : wait;
  }

  /** Returns the unit that an attacker has one of: an IPv4 address, or an IPv6 network of that many bytes. */
  private static String network(InetAddress client, int bytesOfIpv6) {
    byte[] bytes = client.getAddress();
    return HexFormat.of().formatHex(client instanceof Inet6Address ? Arrays.copyOf(bytes, bytesOfIpv6) : bytes);
  }

  private static final class Permits implements Admission.Admitted {
    private final List<Held> held;

    Permits(List<Held> held) {
      this.held = held;
    }

    @Override
    public void succeeded() {
      held.forEach(
          one -> one.limit().counters().clearUpTo(one.limit().key(), one.limit().who(), one.permit()));
    }

    @Override
    public void failed() {
      held.forEach(one -> one.limit().counters().fail(one.limit().key(), one.permit()));
    }

    @Override
    public void undecided() {
      giveBack(held);
    }
  }
}
