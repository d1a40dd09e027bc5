package dev.gatehouse.common.realm;

/**
 * The ways to log in at the idp beside the form, which is always there.
 *
 * @param basic whether HTTP Basic answers; off by default
 * @param secondFactor whether a one-time password is asked for
 */
public record ContractsConfig(boolean basic, SecondFactor secondFactor) {

  /** The form alone. */
  public static final ContractsConfig FORM_ALONE = new ContractsConfig(false, SecondFactor.OPTIONAL);

  /** Who needs a second factor. */
  public enum SecondFactor {
    /** Nobody can have one. */
    OFF,
    /** Who has one is asked for it where a partner wants it. */
    OPTIONAL,
    /** Everybody, at each login by password; enrolled at the first. */
    REQUIRED
  }
}
