package dev.gatehouse.idp.otp.radius;

/** Why a packet or a connection got no answer. */
enum Dropped {
  /** The address, or the names in the certificate, are no client's. */
  UNKNOWN_CLIENT,
  /** The bytes are no packet. */
  MALFORMED,
  /** The packet is none that a client sends to a server. */
  UNEXPECTED_CODE,
  /** The Message-Authenticator is missing. */
  AUTHENTICATOR_MISSING,
  /** The Message-Authenticator, or the authenticator of accounting, is not that of the client's secret. */
  NOT_AUTHENTIC,
  /** As many requests as may be are being worked on. */
  OVERLOADED,
  /** The stores of tokens, or the audit log, do not answer: another server may. */
  UNAVAILABLE,
  /** The answer, with what proxies want back, would be longer than a packet may be. */
  ANSWER_TOO_LONG,
  /** A fault of ours, which the log has. */
  FAULT;

  /** Returns whether strangers cause it, so that each is worth a (paced) entry in the audit log. */
  boolean isRefusal() {
    return switch (this) {
      case UNKNOWN_CLIENT, MALFORMED, UNEXPECTED_CODE, AUTHENTICATOR_MISSING, NOT_AUTHENTIC -> true;
      case OVERLOADED, UNAVAILABLE, ANSWER_TOO_LONG, FAULT -> false;
    };
  }
}
