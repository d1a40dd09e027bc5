package dev.gatehouse.common.logout;

import dev.gatehouse.common.saml.SamlStatus;

/** What came of telling a partner. */
public sealed interface LogoutDeliveryResult {

  /** It says that its sessions have ended, or that it knows of none. */
  record Done() implements LogoutDeliveryResult {}

  /** It has ended its own, but could not reach all whom it has to tell in turn (SAML Core 3.7.3.2): nothing to repeat. */
  record Partial() implements LogoutDeliveryResult {}

  /** It answered that it could not. @param problem for administrators */
  record Failed(String problem) implements LogoutDeliveryResult {}

  /** It was not reached, or what it answered cannot be trusted. @param problem for administrators */
  record Unreachable(String problem) implements LogoutDeliveryResult {}

  /** It offers no back channel (any more): nothing to repeat. @param problem for administrators */
  record Impossible(String problem) implements LogoutDeliveryResult {}

  /**
   * What a LogoutResponse says. A partner that does not know the person has nothing to end: what was asked for holds.
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
