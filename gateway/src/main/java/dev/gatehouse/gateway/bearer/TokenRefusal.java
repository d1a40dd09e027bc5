package dev.gatehouse.gateway.bearer;

/**
 * The reason why a token is refused: a closed list, for audit and tests; the client only gets the error code.
 *
 * @param detail for the log; never contains a token
 */
public record TokenRefusal(Reason reason, String detail) {

  /** Error codes (RFC 6750, section 3.1; RFC 9449, sections 7.1 and 9; RFC 9470, section 3), and their statuses. */
  public enum Error {
    INVALID_REQUEST(400),
    INVALID_TOKEN(401),
    INVALID_DPOP_PROOF(401),
    USE_DPOP_NONCE(401),
    INSUFFICIENT_SCOPE(403),
    INSUFFICIENT_USER_AUTHENTICATION(401),
    /** The token could not be verified; it may be valid. */
    TEMPORARILY_UNAVAILABLE(503);

    private final int status;

    Error(int status) {
      this.status = status;
    }

    public int status() {
      return status;
    }

    /** The value in messages. */
    public String value() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** The reasons, roughly in the order of the checks. */
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
    /** The token has an unsupported binding, or was presented with the wrong scheme. */
    TOKEN_BINDING(Error.INVALID_TOKEN),
    DPOP_PROOF(Error.INVALID_DPOP_PROOF),
    /** The token's client must use nonces, and the proof lacks a current one. */
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
