package dev.gatehouse.idp.totp;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.Realm;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Codes of authenticator apps, which are tokens: implemented beside the check of passcodes, with its marks and its count of wrong codes.
 */
public interface AppCodes {

  /** The result of a code. */
  enum Result {
    ACCEPTED,
    WRONG,
    /** Right, and used before or, because several wrong ones were counted meanwhile, in vain. */
    USED,
    /** The app is disabled, lost or past its end. */
    DISABLED,
    /** Several wrong ones came before: two successive codes are needed in one, and a single one was not looked at. */
    TWO_CODES_NEEDED,
    /** Too many wrong codes or passcodes came before, wherever they were typed. */
    LOCKED
  }

  /**
   * Decides about a code of one of the person's apps, counts a wrong one, and uses up a right one.
   *
   * @param code or two successive ones, without a space
   */
  Result check(Realm realm, PersonId person, String code);

  /** Returns the time step of a code of an app that is being set up. */
  OptionalLong stepOf(TotpSecret secret, int digits, String code, Instant now);

  /** Uses up the code by which the person has proved a new app. */
  void useFirst(Realm realm, PersonId person, String app, long step);

  /** Forgets wrong codes and passcodes of a person who has proved by other means who they are. */
  void forgive(Realm realm, PersonId person);
}
