package dev.gatehouse.common.logout;

import dev.gatehouse.common.saml.NameId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a partner has to hear: that sessions of a person have ended. Each time it is sent it becomes a new LogoutRequest.
 *
 * @param person for the audit log and administrators
 * @param since when the sessions ended
 * @param giveUpAt after this the partner's own sessions have ended, or it is not worth the trouble any more
 * @param tries that were made
 * @param problem of the last try
 */
public record LogoutNotice(
    String partner,
    NameId nameId,
    List<String> sessionIndexes,
    String person,
    LogoutReason reason,
    Instant since,
    Instant giveUpAt,
    int tries,
    Optional<Problem> problem) {

  /**
   * Why a try failed.
   *
   * @param answered whether the partner said so itself; else it was not reached, or what it said cannot be trusted
   * @param text for administrators and logs
   */
  public record Problem(boolean answered, String text) {}

  public LogoutNotice {
    sessionIndexes = List.copyOf(sessionIndexes);
  }

  /** After one more try. */
  LogoutNotice tried(Problem why) {
    return new LogoutNotice(
        partner, nameId, sessionIndexes, person, reason, since, giveUpAt, tries + 1, Optional.of(why));
  }

  /** Held back without a try. */
  LogoutNotice delayed(Problem why) {
    return new LogoutNotice(
        partner, nameId, sessionIndexes, person, reason, since, giveUpAt, tries, Optional.of(why));
  }
}
