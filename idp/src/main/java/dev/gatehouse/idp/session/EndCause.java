package dev.gatehouse.idp.session;

import dev.gatehouse.common.audit.AuditEvent;

/** The cause of an IdpSession's end. */
public enum EndCause {
  /** The person logged out here. */
  LOGOUT("logout"),
  /** A service provider requested it. */
  PARTNER("partner"),
  /** The person ended it on the account page. */
  ACCOUNT("account"),
  ADMINISTRATOR("administrator"),
  /** Another session replaced it in the same browser. */
  REPLACED("replaced"),
  PASSWORD_CHANGED("password changed"),
  /** The directory does not contain the person any more, or has disabled the account. */
  PERSON_GONE("person gone"),
  /** Its idle or absolute end has passed. */
  EXPIRED("expired");

  private final String word;

  EndCause(String word) {
    this.word = word;
  }

  /** The word for the audit log. */
  public String word() {
    return word;
  }

  /** The event that the session ended by this. */
  AuditEvent event(AuditEvent.Context context, IdpSession ended) {
    return new AuditEvent.SessionEnded(context, "idp", ended.id().value(), ended.person().value(), word());
  }
}
