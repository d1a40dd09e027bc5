package dev.gatehouse.common.admin;

import dev.gatehouse.common.result.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Tokens that make one-time passwords, for those who hand them out and help the people who have them. Nothing here tells a seed. */
public interface TokenDesk {

  /** Why something was not done: a closed list, each with a sentence. */
  enum Refusal {
    TOKENS_OFF("This realm does not take tokens: write idp.contracts.token into its configuration."),
    TOKEN_UNKNOWN("There is no such token."),
    PERSON_UNKNOWN("The directory has nobody of that name or id."),
    PERSON_GONE("The last synchronisation did not find the person among those who may have tokens (otp.people)."),
    HAS_OWNER("The token belongs to somebody: take it back first."),
    HAS_NO_OWNER("The token belongs to nobody: assign it first."),
    TOO_MANY("The person has five tokens: take one back first."),
    CHANGED("Somebody has changed the token meanwhile: read it again."),
    IS_LOST("The token is lost: say that it was found first."),
    IS_APP("The token is an authenticator app, which is not found again: take it from the person, who then sets up another."),
    NOT_LOST("The token is not lost."),
    SERIAL_IN_USE("There is a token with this serial number."),
    REPLACEMENT_NOT_FREE("The replacement is not free, or there is one: choose an enabled token that belongs to nobody."),
    CODES_WRONG("These are not two successive codes of the token: type one, wait for the next one, and type that."),
    CODES_USED("These codes, or later ones, were used: wait for new ones."),
    NO_TOKEN("The person has no token.");

    private final String sentence;

    Refusal(String sentence) {
      this.sentence = sentence;
    }

    public String sentence() {
      return sentence;
    }
  }

  /** What is looked for; empty parts do not matter. */
  record TokenFilter(
      Optional<String> person,
      Optional<String> state,
      Optional<Boolean> assigned,
      Optional<Boolean> used,
      Optional<Instant> expiresBefore) {}

  /**
   * A token.
   *
   * @param kind {@code totp}, {@code hotp}, {@code ocra}, or {@code app} for an authenticator app that a second step asks for
   * @param algorithm {@code sha1}, {@code sha256} or {@code sha512}
   * @param period seconds; 0 for a token that counts
   * @param state {@code enabled}, {@code disabled}, {@code lost} or {@code expired}
   * @param person the directory's id
   */
  record TokenView(
      String serial,
      String kind,
      String algorithm,
      int digits,
      int period,
      String state,
      Optional<String> person,
      Optional<Instant> expiresAt,
      Optional<Instant> usedAt,
      Optional<String> replaces) {}

  /**
   * What counts for a person, whichever token it is.
   *
   * @param pin whether there is a PIN
   * @param newPin whether the next login asks for another one
   * @param locked whether no passcode counts at the moment
   */
  record TokenHolderView(
      String person,
      List<TokenView> tokens,
      boolean pin,
      boolean newPin,
      int wrongPasscodes,
      boolean locked,
      Optional<Instant> lockedUntil,
      Optional<StandInView> emergency) {}

  /** What stands in for tokens: a {@code password} or {@code codes}, how many are left, and until when. */
  record StandInView(String kind, int left, Instant until) {}

  /** What stands in for tokens, as it is handed over once. */
  record StandIn(String kind, List<String> values, Instant until) {
    @Override
    public String toString() {
      return "StandIn[" + kind + ", " + until + "]";
    }
  }

  /**
   * Numbers of tokens and people.
   *
   * @param states numbers by state
   * @param expiring within thirty days
   * @param neverUsed of those that are assigned
   * @param at when they were counted: a little while ago, where there are many
   */
  record TokenReport(
      Map<String, Long> states,
      long assigned,
      long free,
      long expired,
      long expiring,
      long neverUsed,
      long lockedPeople,
      long withoutPin,
      Instant at) {}

  /**
   * What a help desk writes at a token.
   *
   * @param label what is written on it, or who keeps it; empty if nothing
   * @param note for other help desks; empty if nothing
   */
  record TokenFields(String label, String note, Optional<Instant> expiresAt) {}

  /** A change of one token. */
  sealed interface Change {
    /** @param person the directory's id */
    record Assign(String person) implements Change {}

    record Unassign() implements Change {}

    record Enable() implements Change {}

    record Disable() implements Change {}

    record Lose() implements Change {}

    /** The lost token is back: it counts again, and what stood in for it does not. */
    record Find() implements Change {}

    record Expire(Optional<Instant> at) implements Change {}

    /** All fields that a help desk may change, at once, if they are as seen: what may be changed was decided by that. */
    record Describe(TokenFields seen, TokenFields fields) implements Change {}

    record Replace(String by) implements Change {}

    record Resynchronise(String code, String next) implements Change {
      @Override
      public String toString() {
        return "Resynchronise";
      }
    }

    record Remove() implements Change {}
  }

  /** Returns whether the realm takes tokens. */
  boolean isOn(String realm);

  List<TokenView> page(String realm, TokenFilter filter, String after, int limit);

  Optional<TokenView> find(String realm, String serial);

  /** Returns what help desks wrote at a token. */
  Optional<TokenFields> fields(String realm, String serial);

  /** Returns the labels of those of these tokens that have one, by serial number. */
  Map<String, String> labels(String realm, Collection<String> serials);

  /** Returns how far ahead a help desk may set the end of a token. */
  Duration deskExpiry(String realm);

  /** Changes a token that is as seen; returns it as it is then. */
  Result<TokenView, Refusal> change(String realm, TokenView seen, Change change);

  /**
   * Returns the two challenges whose responses are the two successive codes of a token that answers challenges and counts; none for other
   * tokens, and where the person's PIN is part of the response: only the person types it, on the account page.
   */
  List<String> challenges(String realm, String serial);

  /** Returns whether the directory has a person with this id. */
  boolean knows(String realm, String person);

  TokenHolderView holder(String realm, String person);

  /** Gives the person a PIN made here in place of theirs, with which another one is to be chosen; returns it. */
  Result<String, Refusal> resetPin(String realm, String person);

  /** Forgets wrong passcodes and ends a lock; returns how many count no more. */
  int unlock(String realm, String person);

  /**
   * Makes what stands in for the person's tokens, in place of what did.
   *
   * @param codes how many that count once each; 0 for one password that counts until its end
   */
  Result<StandIn, Refusal> standIn(String realm, String person, int codes, Instant until);

  /** Ends what stands in; returns false if there is nothing. */
  boolean endStandIn(String realm, String person);

  /** Counts all tokens and people of the realm: callers keep what it returns for a while. */
  TokenReport report(String realm);
}
