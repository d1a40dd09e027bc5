package dev.gatehouse.common.throttle;

import dev.gatehouse.common.realm.ThrottleConfig;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * Limits on guessing, shared by every way to log in. A permit is taken before the password is looked at, so that parallel
 * guesses cannot exceed the limit; while it is open, it is no failure yet, and those who come in parallel wait for it.
 */
public interface GuessThrottle {

  /** Takes a permit for one try at this account (any spelling of the name). Blocks while others' tries are open. */
  Admission admit(String realm, String loginName, GuessSource by, ThrottleConfig limits);

  /** For a stranger at that address. */
  default Admission admit(String realm, String loginName, InetAddress client, ThrottleConfig limits) {
    return admit(realm, loginName, new GuessSource.Stranger(client), limits);
  }

  /**
   * Takes a permit for one try at the person's second factor; {@code person} is the directory's id. Counted apart from the password's: whoever knows that one
   * could else clear the count between guesses.
   */
  Admission admitCode(String realm, String person, InetAddress client, ThrottleConfig limits);

  /**
   * For how long no secret of that OAuth client counts from that address, right or wrong; empty where it does. Counted by
   * client and address together: a stranger cannot lock a client out of its own server's.
   */
  Optional<Duration> secretsRefused(String realm, String clientId, InetAddress address, ThrottleConfig limits);

  /**
   * Counts a wrong secret. For how long none counts, where the limit was reached before: then say so, and not that it was
   * wrong. As only answers within the limit tell anything, no permit is needed before the secret is looked at.
   */
  Optional<Duration> secretWasWrong(String realm, String clientId, InetAddress address, ThrottleConfig limits);

  /** Whether the try may go on. */
  sealed interface Admission {
    /** Go on, and call one of these when the outcome is known. What was lost by a fault counts as failed after a while. */
    non-sealed interface Admitted extends Admission {
      /** The password or code was right: clears what the account had failed up to then, here and at the address. */
      void succeeded();

      /** It was wrong: counts for the rest of the window. */
      void failed();

      /** Nothing was learned (directory down): returns the permits. */
      void undecided();
    }

    /** Refused unread: answer 429 with Retry-After. */
    record Refused(boolean byAccount, Duration retryAfter) implements Admission {}

    /** As many tries as are left are open, and none was decided in time: the directory is slow. Nobody failed. */
    record Busy(Duration retryAfter) implements Admission {}
  }
}
