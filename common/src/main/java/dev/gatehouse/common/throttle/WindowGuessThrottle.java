package dev.gatehouse.common.throttle;

import dev.gatehouse.common.realm.ThrottleConfig;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Limits over a sliding window: of the tries within any {@code window}, at most {@code perAccount} wrong ones at an
 * account and {@code perAddress} from an address (IPv6: one /64) get as far as the password.
 *
 * <ul>
 *   <li>The address is asked first. A try that it refuses does not count against the account: who stuffs credentials from
 *       one address slows that address, and locks nobody else out.
 *   <li>A try that the account refuses does not count against the address: nothing was guessed.
 *   <li>Success clears what the account had taken up to then; guesses that began later still count.
 * </ul>
 *
 * <p>In memory, for this node; a restart forgets. See {@link FailureCounters} for why nobody else can make it forget.
 */
public final class WindowGuessThrottle implements GuessThrottle {

  /** Accounts and addresses that are counted at once: about 40 MB each when full of keys with a failure or two. */
  private static final int CAPACITY = 100_000;

  private static final Duration LEAST_WAIT = Duration.ofSeconds(1);
  private static final int NETWORK_BYTES = 8;

  private final InstantSource time;
  private final FailureCounters accounts;
  private final FailureCounters addresses;

  public WindowGuessThrottle(InstantSource time) {
    this(time, CAPACITY);
  }

  WindowGuessThrottle(InstantSource time, int capacity) {
    this.time = time;
    this.accounts = new FailureCounters(capacity);
    this.addresses = new FailureCounters(capacity);
  }

  @Override
  public Admission admit(String realm, String loginName, InetAddress client, ThrottleConfig limits) {
    return take(realm, realm + '\0' + LoginNames.normal(loginName), client, limits);
  }

  @Override
  public Admission admitCode(String realm, String person, InetAddress client, ThrottleConfig limits) {
    // No name has a control character in its normal form, so nobody's password shares this counter.
    return take(realm, realm + "\0\0" + person, client, limits);
  }

  private Admission take(String realm, String account, InetAddress client, ThrottleConfig limits) {
    Instant now = time.instant();
    String address = realm + '\0' + network(client);
    return switch (addresses.take(address, limits.perAddress(), limits.window(), now)) {
      case FailureCounters.Answer.Full(Duration wait) -> refused(false, wait);
      case FailureCounters.Answer.Taken(long ofAddress) ->
          switch (accounts.take(account, limits.perAccount(), limits.window(), now)) {
            case FailureCounters.Answer.Full(Duration wait) -> {
              addresses.giveBack(address, ofAddress);
              yield refused(true, wait);
            }
            case FailureCounters.Answer.Taken(long ofAccount) -> new Permits(address, ofAddress, account, ofAccount);
          };
    };
  }

  private static Admission refused(boolean byAccount, Duration wait) {
    return new Admission.Refused(byAccount, wait.compareTo(LEAST_WAIT) < 0 ? LEAST_WAIT : wait);
  }

  /** What an attacker has one of: an IPv4 address, or an IPv6 network of 64 bits, as which providers give them out. */
  private static String network(InetAddress client) {
    byte[] bytes = client.getAddress();
    return HexFormat.of().formatHex(client instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
  }

  private final class Permits implements Admission.Admitted {
    private final String address;
    private final long ofAddress;
    private final String account;
    private final long ofAccount;

    Permits(String address, long ofAddress, String account, long ofAccount) {
      this.address = address;
      this.ofAddress = ofAddress;
      this.account = account;
      this.ofAccount = ofAccount;
    }

    @Override
    public void succeeded() {
      addresses.giveBack(address, ofAddress);
      accounts.clearUpTo(account, ofAccount);
    }

    @Override
    public void undecided() {
      addresses.giveBack(address, ofAddress);
      accounts.giveBack(account, ofAccount);
    }
  }
}
