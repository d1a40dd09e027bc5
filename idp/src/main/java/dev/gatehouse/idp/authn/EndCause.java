package dev.gatehouse.idp.authn;

/** Why an IdpSession ends. */
public enum EndCause {
  /** The person logged out here. */
  LOGOUT("logout"),
  /** A service provider asked for it. */
  PARTNER("partner"),
  /** The person ended it on the account page. */
  ACCOUNT("account"),
  ADMINISTRATOR("administrator"),
  /** Another one took its place in the same browser. */
  REPLACED("replaced"),
  PASSWORD_CHANGED("password changed"),
  /** The directory does not know the person any more. */
  PERSON_GONE("person gone"),
  /** Its idle or absolute end came. */
  EXPIRED("expired");

  private final String word;

  EndCause(String word) {
    this.word = word;
  }

  /** As the audit log says it. */
  public String word() {
    return word;
  }
}
