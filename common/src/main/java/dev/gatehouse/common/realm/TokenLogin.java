package dev.gatehouse.common.realm;

import java.time.Duration;
import java.util.Optional;

/**
 * Logins by the passcode of a token: PIN and code in one field.
 *
 * @param pin what a PIN may be
 * @param nextCodeAfter wrong passcodes in a row after which two successive codes are asked for
 * @param lockAfter wrong passcodes in a row after which the person is locked
 * @param lockFor how long; until an administrator unlocks the person if absent
 */
public record TokenLogin(Pin pin, int nextCodeAfter, int lockAfter, Optional<Duration> lockFor) {

  /** The settings where nothing is configured. */
  public static final TokenLogin USUAL =
      new TokenLogin(new Pin(4, 8, false, 3, ChosenBy.PERSON), 3, 10, Optional.of(Duration.ofMinutes(30)));

  /**
   * What a PIN may be.
   *
   * @param least number of characters
   * @param most number of characters
   * @param letters whether letters count beside digits
   * @param former how many PINs, with the present one, cannot be chosen again
   * @param chosenBy who chooses a new one
   */
  public record Pin(int least, int most, boolean letters, int former, ChosenBy chosenBy) {}

  /** Who chooses a new PIN. */
  public enum ChosenBy {
    PERSON,
    /** The server makes it and shows it once. */
    SERVER,
    /** The server proposes one, and the person may choose another. */
    EITHER
  }
}
