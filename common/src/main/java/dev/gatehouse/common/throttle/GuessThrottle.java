package dev.gatehouse.common.throttle;

import dev.gatehouse.common.realm.ThrottleConfig;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Limits on guessing, shared by every way to log in. A permit is taken before the password is verified, so that parallel guesses
 * cannot exceed the limit. An open permit is not a failure yet, and parallel tries wait for its result.
 */
public interface GuessThrottle {

  /** Takes a permit for one try at this account (in any spelling of the name). Blocks while other tries are open. */
  Admission admit(String realm, String loginName, GuessSource by, ThrottleConfig limits);

  /** As above, for a stranger at that address. */
  default Admission admit(String realm, String loginName, InetAddress client, ThrottleConfig limits) {
    return admit(realm, loginName, new GuessSource.Stranger(client), limits);
  }

  /**
   * Takes a permit for one try at the person's second factor; {@code person} is the directory's id. It is counted separately from the
   * password: otherwise an attacker who knows the password could reset the count between guesses.
   */
  Admission admitCode(String realm, String person, InetAddress client, ThrottleConfig limits);

  /**
   * Returns how long every secret of that OAuth client is refused from that address, right or wrong; empty if secrets are accepted.
   * Counted by client and address together, so that a stranger cannot lock a client out of its own server's address.
   */
  Optional<Duration> secretsRefused(String realm, String clientId, InetAddress address, ThrottleConfig limits);

  /**
   * Counts a wrong secret. If the limit was reached before, returns how long every secret is refused; the caller must then report that
   * and not a wrong secret. Only answers within the limit disclose anything, so no permit is needed before the secret is verified.
   *
   * @param known whether there is such a client: anybody can invent others, which count at this node only and fill no shared store
   */
  Optional<Duration> secretWasWrong(String realm, String clientId, boolean known, InetAddress address, ThrottleConfig limits);

  /** Returns the wrong tries that count against that person at the moment. */
  Failures failures(String realm, String loginName, String person, ThrottleConfig limits);

  /**
   * Forgets the wrong tries that count against that person, from wherever they came, and returns their number. Those of addresses stay:
   * who guesses from there goes on with other people.
   */
  int forget(String realm, String loginName, String person);

  /**
   * Wrong tries that count against a person.
   *
   * @param passwords of strangers, who share one count
   * @param codes of second factors
   * @param passwordsRefusedFor how long passwords of strangers are refused without a look at them; empty if they are not
   */
  record Failures(int passwords, int codes, Optional<Duration> passwordsRefusedFor, Optional<Duration> codesRefusedFor) {

    /** Nothing counts. */
    public static final Failures NONE = new Failures(0, 0, Optional.empty(), Optional.empty());
  }

  /** The decision about a try. */
  sealed interface Admission {
    /** The try may go on; the caller reports its result. A permit lost by a fault counts as failed after a while. */
    non-sealed interface Admitted extends Admission {
      /** The password or code was right: clears the account's earlier failures, here and at the address. */
      void succeeded();

      /** It was wrong: the failure counts for the rest of the window. */
      void failed();

      /** The result is unknown (directory down): returns the permits. */
      void undecided();
    }

    /** Refused without verification: answer 429 with Retry-After. */
    record Refused(boolean byAccount, Duration retryAfter) implements Admission {}

    /** All remaining tries are open, and none was decided in time, because the directory is slow. Nothing has failed. */
    record Busy(Duration retryAfter) implements Admission {}
  }
}
