package dev.gatehouse.common.throttle;

import dev.gatehouse.common.realm.ThrottleConfig;
import java.net.InetAddress;
import java.time.Duration;

/**
 * Limits on guessing, shared by every way to log in. A permit is taken before the password is looked at and counts as a
 * failure unless it is given back, so that parallel guesses cannot exceed the limit.
 */
public interface GuessThrottle {

  /** Takes a permit for one try at this account (any spelling of the name) from this address. */
  Admission admit(String realm, String loginName, InetAddress client, ThrottleConfig limits);

  /**
   * Takes a permit for one try at the person's second factor; {@code person} is the directory's id. Counted apart from the password's: whoever knows that one
   * could else clear the count between guesses.
   */
  Admission admitCode(String realm, String person, InetAddress client, ThrottleConfig limits);

  /** Whether the try may go on. */
  sealed interface Admission {
    /** Go on; call {@link #succeeded} or {@link #undecided} where the try did not fail. */
    non-sealed interface Admitted extends Admission {
      /** The password or code was right: clears the account's failures and returns the address's permit. */
      void succeeded();

      /** Nothing was learned (directory down): returns both permits. */
      void undecided();
    }

    /** Refused unread: answer 429 with Retry-After. */
    record Refused(boolean byAccount, Duration retryAfter) implements Admission {}
  }
}
