package dev.gatehouse.gateway.bearer;

/**
 * Why a token does not count: a closed list, for audit and tests; the caller is told only the error code.
 *
 * @param detail for the log; never a token
 */
public record TokenRefusal(Reason reason, String detail) {

  /** Error codes (RFC 6750, section 3.1; RFC 9449, sections 7.1 and 9; RFC 9470, section 3), and what they are answered with. */
  public enum Error {
    INVALID_REQUEST(400),
    INVALID_TOKEN(401),
    INVALID_DPOP_PROOF(401),
    USE_DPOP_NONCE(401),
    INSUFFICIENT_SCOPE(403),
    INSUFFICIENT_USER_AUTHENTICATION(401),
    /** Nothing is wrong with the token, as far as we know. */
    TEMPORARILY_UNAVAILABLE(503);

    private final int status;

    Error(int status) {
      this.status = status;
    }

    public int status() {
      return status;
    }

    /** As in messages. */
    public String value() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** Reasons, in about the order in which they are looked at. */
  public enum Reason {
    TOKEN_MALFORMED(Error.INVALID_REQUEST),
    TOKEN_UNREADABLE(Error.INVALID_TOKEN),
    TOKEN_TYPE(Error.INVALID_TOKEN),
    TOKEN_ISSUER(Error.INVALID_TOKEN),
    TOKEN_SIGNATURE(Error.INVALID_TOKEN),
    TOKEN_INACTIVE(Error.INVALID_TOKEN),
    TOKEN_AUDIENCE(Error.INVALID_TOKEN),
    TOKEN_EXPIRED(Error.INVALID_TOKEN),
    TOKEN_NOT_YET_VALID(Error.INVALID_TOKEN),
    TOKEN_SUBJECT(Error.INVALID_TOKEN),
    /** It is bound to what we cannot look at, or came by the wrong scheme. */
    TOKEN_BINDING(Error.INVALID_TOKEN),
    DPOP_PROOF(Error.INVALID_DPOP_PROOF),
    /** The token's client is configured for nonces, and the proof has none of ours. */
    DPOP_NONCE(Error.USE_DPOP_NONCE),
    ISSUER_UNAVAILABLE(Error.TEMPORARILY_UNAVAILABLE);

    private final Error error;

    Reason(Error error) {
      this.error = error;
    }

    public Error error() {
      return error;
    }
  }
}
