package dev.gatehouse.idp.otp;

import dev.gatehouse.common.directory.Person;
import java.util.Optional;

/** The result of a passcode. A refused person is only told "not accepted"; the audit log has the reason. */
public sealed interface PasscodeResult {

  /**
   * The person is who they say.
   *
   * @param token the serial number of the token whose code counted, or the name of the emergency means
   */
  record Accepted(Person person, String token) implements PasscodeResult {}

  /** The passcode does not count. */
  record Refused(Reason reason) implements PasscodeResult {}

  /**
   * More is needed before anybody is let in.
   *
   * @param reference names this challenge, unguessable, valid for some minutes and one answer
   * @param shown to the person, and to nobody who listens: what a token is to answer, or a PIN that the server has made
   */
  record Challenged(Question question, String reference, Optional<String> shown) implements PasscodeResult {

    /** The challenge without what is shown. */
    @Override
    public String toString() {
      return "Challenged[" + question + "]";
    }
  }

  /** Why a passcode does not count: for audit log and metrics, never for the person. */
  enum Reason {
    UNKNOWN_PERSON,
    NO_TOKEN,
    TOKEN_DISABLED,
    TOKEN_EXPIRED,
    WRONG_PASSCODE,
    CODE_USED,
    LOCKED,
    CHALLENGE_UNKNOWN,
    /** The person's roles or groups may not come in at this client, or not now: the passcode was right, and is neither used up nor counted. */
    NOT_ADMITTED,
    PIN_NOT_ALLOWED,
    /** The home of a visitor refused; why is in its own audit log. */
    HOME_REFUSED,
    HOME_UNAVAILABLE,
    HOME_DISTRUSTS_US,
    HOME_ANSWER_INVALID,
    /** Several realms know a name without suffix. */
    HOME_AMBIGUOUS
  }

  /** What is asked for. */
  enum Question {
    /** The next code of the same token, after several wrong ones. */
    NEXT_CODE,
    /** A new PIN that the person chooses. */
    NEW_PIN,
    /** The new PIN again. */
    NEW_PIN_AGAIN,
    /** The new PIN that the server has made and shows, so that it is known to have arrived. */
    SERVER_PIN,
    /** The response of a token to the challenge that is shown (RFC 6287); after the PIN if the token's suite has one. */
    RESPONSE,
    /** Asked by no version any more: stored questions may have it. */
    PASSCODE_WITH_NEW_PIN
  }
}
