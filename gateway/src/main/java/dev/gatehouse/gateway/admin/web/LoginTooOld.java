package dev.gatehouse.gateway.admin.web;

import java.time.Duration;

/** Signals that the person's login is too old for a dangerous operation; answered with 401 (RFC 9470, section 3). */
public final class LoginTooOld extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The oldest login with which a person may do what is dangerous. */
  public static final Duration MAX_AGE = Duration.ofMinutes(10);

  /** The challenge of RFC 9470, section 3. */
  public static final String CHALLENGE =
      "Bearer realm=\"gatehouse-admin\", error=\"insufficient_user_authentication\","
          + " error_description=\"a more recent login is needed\", max_age=\"" + MAX_AGE.toSeconds() + "\"";

  LoginTooOld() {
    super(
        "This needs a login that is not older than " + MAX_AGE.toMinutes() + " minutes: log in to the console again (max_age="
            + MAX_AGE.toSeconds() + "). Nothing was changed.",
        null, false, false);
  }
}
