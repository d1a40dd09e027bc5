package dev.gatehouse.sp.idtoken;

import dev.gatehouse.common.result.Result;
import java.util.Optional;

/**
 * The reason why a provider's message was refused: a closed list, for audit and tests. People see one generic text.
 *
 * @param detail for the log; never contains a token
 */
public record OpenIdRefusal(Reason reason, String detail) {

  /** Reasons, approximately in the order of the checks. */
  public enum Reason {
    NO_MESSAGE,
    /** No pending login has this state. */
    STATE,
    REPLAYED,
    OTHER_BROWSER,
    /** The request was too large for a cookie and was lost from memory. */
    REQUEST_LOST,
    /** The response came to the redirect URI of another provider (RFC 9700, section 4.4.2.2). */
    REDIRECT_URI,
    /** The response is not from the provider to which the request was sent (RFC 9207). */
    RESPONSE_ISSUER,
    /** The provider reports that it did not log the person in. */
    PROVIDER_ERROR,
    PROVIDER_UNKNOWN,
    PROVIDER_UNAVAILABLE,
    CODE_REFUSED,
    TOKEN_MISSING,
    /** Not a signed JWT of a form and algorithm that we accept. */
    JWT_UNREADABLE,
    TOKEN_TYPE,
    ISSUER,
    SIGNATURE,
    AUDIENCE,
    AUTHORIZED_PARTY,
    EXPIRED,
    ISSUED_AT,
    SUBJECT,
    NONCE,
    ACCESS_TOKEN_HASH,
    AUTH_TIME,
    ACR,
    USER_NAME,
    USER_INFO,
    LOGGED_OUT,
    /** Reasons for logout tokens. */
    EVENTS,
    SUBJECT_OR_SESSION
  }

  /** Returns a refusal unless the rule is satisfied. */
  static Optional<OpenIdRefusal> unless(boolean satisfied, Reason reason, String detail) {
    return satisfied ? Optional.empty() : Optional.of(new OpenIdRefusal(reason, detail));
  }

  public static <T> Result<T, OpenIdRefusal> refused(Reason reason, String detail) {
    return Result.refused(new OpenIdRefusal(reason, detail));
  }
}
