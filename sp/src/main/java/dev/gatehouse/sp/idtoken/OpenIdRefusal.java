package dev.gatehouse.sp.idtoken;

/**
 * Why a provider's message was refused: a closed list, for audit and tests; people see one generic text.
 *
 * @param detail for the log; never a token
 */
public record OpenIdRefusal(Reason reason, String detail) {

  /** Reasons, in about the order in which they are looked at. */
  public enum Reason {
    NO_MESSAGE,
    /** No login waits for that state. */
    STATE,
    REPLAYED,
    OTHER_BROWSER,
    /** The request was too large for a cookie, and memory has lost it. */
    REQUEST_LOST,
    /** The response is not from the provider that was asked (RFC 9207). */
    RESPONSE_ISSUER,
    /** The provider says that it did not log the person in. */
    PROVIDER_ERROR,
    PROVIDER_UNKNOWN,
    PROVIDER_UNAVAILABLE,
    CODE_REFUSED,
    TOKEN_MISSING,
    /** Not a signed JWT of a form and algorithm that we take. */
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
    /** Of logout tokens. */
    EVENTS,
    WHO
  }
}
