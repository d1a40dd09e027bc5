package dev.gatehouse.gateway.netty;

import dev.gatehouse.gateway.message.Malformation;
import dev.gatehouse.gateway.policy.Reason;
import dev.gatehouse.gateway.upstream.UpstreamFailure;

/**
 * What a client is told where we answer instead of the app.
 *
 * @param page the kind of error page
 * @param reason for the log and the audit log
 * @param route that it was for, or {@code -}
 * @param audited whether somebody may have tried something; an app that fails is only logged
 */
record Refusal(int status, String page, String reason, String route, boolean audited) {

  static Refusal of(Malformation malformation) {
    String page =
        switch (malformation) {
          case METHOD_REFUSED -> "method-not-allowed";
          case TARGET_TOO_LONG, HEAD_TOO_LARGE -> "too-large";
          default -> "bad-request";
        };
    return new Refusal(malformation.status(), page, malformation.name(), "-", true);
  }

  static Refusal of(Reason reason, String route) {
    return new Refusal(reason.status(), reason.page(), reason.name(), route, true);
  }

  static Refusal of(UpstreamFailure failure, String route) {
    String page = failure == UpstreamFailure.TIMEOUT ? "upstream-timeout" : "upstream-failed";
    return new Refusal(failure.status(), page, "UPSTREAM_" + failure.name(), route, false);
  }

  static Refusal bodyTooLarge(String route) {
    return new Refusal(413, "too-large", "BODY_TOO_LARGE", route, true);
  }

  static Refusal requestTimeout() {
    return new Refusal(408, "request-timeout", "REQUEST_TIMEOUT", "-", false);
  }

  /** Something of ours failed. */
  static Refusal fault(String route) {
    return new Refusal(500, "internal", "FAULT", route, false);
  }

  static Refusal auditUnavailable(String route) {
    return new Refusal(503, "audit-unavailable", "AUDIT_UNAVAILABLE", route, false);
  }
}
