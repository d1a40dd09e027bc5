package dev.gatehouse.common.logout;

import dev.gatehouse.common.saml.message.SamlStatus;

/** The result of delivering a logout notice to a partner. */
public sealed interface LogoutDeliveryResult {

  /** The partner confirms that its sessions have ended, or that it knows of none. */
  record Done() implements LogoutDeliveryResult {}

  /** The partner ended its own sessions, but could not reach all parties behind it (SAML Core 3.7.3.2). Not repeated. */
  record Partial() implements LogoutDeliveryResult {}

  /**
   * The partner answered that it failed.
   *
   * @param problem for administrators
   */
  record Failed(String problem) implements LogoutDeliveryResult {}

  /**
   * The partner was not reached, or its response cannot be trusted.
   *
   * @param problem for administrators
   */
  record Unreachable(String problem) implements LogoutDeliveryResult {}

  /**
   * The partner offers no back channel (any more). Not repeated.
   *
   * @param problem for administrators
   */
  record Impossible(String problem) implements LogoutDeliveryResult {}

  /**
   * Returns the result for the status of a LogoutResponse. A partner that does not know the person has nothing to end, which is a
   * success.
   */
  static LogoutDeliveryResult of(SamlStatus status) {
    String subCode = status.subCode().orElse("");
    if (subCode.equals(SamlStatus.PARTIAL_LOGOUT)) {
      return new Partial();
    }
    return status.isSuccess() || subCode.equals(SamlStatus.UNKNOWN_PRINCIPAL)
        ? new Done()
        : new Failed(subCode.isEmpty() ? status.code() : status.code() + " " + subCode);
  }
}
