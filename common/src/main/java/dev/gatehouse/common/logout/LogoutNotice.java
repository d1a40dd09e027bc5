package dev.gatehouse.common.logout;

import dev.gatehouse.common.saml.message.NameId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A notice to a partner that sessions of a person have ended. Each try sends it as a new LogoutRequest.
 *
 * @param person for the audit log and administrators
 * @param since when the sessions ended
 * @param giveUpAt the end of tries: the partner's own sessions have ended by then, or further tries are not worthwhile
 * @param tries number of tries so far
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
   * The reason why a try failed.
   *
   * @param answered whether the partner answered so; otherwise it was not reached, or its response cannot be trusted
   * @param text for administrators and logs
   */
  public record Problem(boolean answered, String text) {}

  public LogoutNotice {
    sessionIndexes = List.copyOf(sessionIndexes);
  }

  /** Returns the notice after one more try. */
  LogoutNotice tried(Problem why) {
    return new LogoutNotice(
        partner, nameId, sessionIndexes, person, reason, since, giveUpAt, tries + 1, Optional.of(why));
  }

  /** Returns the notice postponed without a try. */
  LogoutNotice delayed(Problem why) {
    return new LogoutNotice(
        partner, nameId, sessionIndexes, person, reason, since, giveUpAt, tries, Optional.of(why));
  }
}
