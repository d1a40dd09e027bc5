package dev.gatehouse.idp.oauth;

import dev.gatehouse.common.result.Result;
import java.time.Duration;
import java.util.Optional;

/**
 * An error as the specifications define it (RFC 6749, sections 4.1.2.1 and 5.2).
 *
 * @param description for the developer of the client: ASCII without quotation marks and backslashes, and without
 *     internal details
 * @param retryAfter present if the client is throttled; the error then says nothing else
 * @param nonce with {@code use_dpop_nonce}
 */
public record OAuthError(Code code, String description, Optional<Duration> retryAfter, Optional<String> nonce) {

  /** The header field that contains a nonce (RFC 9449, section 8.1). */
  public static final String NONCE = "DPoP-Nonce";

  private static final int TOO_MANY_REQUESTS = 429;

  /** Error codes, each with its status at the token endpoint and similar endpoints. */
  public enum Code {
    INVALID_REQUEST(400),
    INVALID_CLIENT(401),
    INVALID_GRANT(400),
    UNAUTHORIZED_CLIENT(400),
    UNSUPPORTED_GRANT_TYPE(400),
    UNSUPPORTED_RESPONSE_TYPE(400),
    INVALID_SCOPE(400),
    ACCESS_DENIED(400),
    SERVER_ERROR(500),
    TEMPORARILY_UNAVAILABLE(503),
    /** RFC 8707, section 2. */
    INVALID_TARGET(400),
    /** RFC 6750, section 3.1. */
    INVALID_TOKEN(401),
    INSUFFICIENT_SCOPE(403),
    /** RFC 9470, section 3. */
    INSUFFICIENT_USER_AUTHENTICATION(401),
    /** RFC 9449, sections 5 and 8. */
    INVALID_DPOP_PROOF(400),
    USE_DPOP_NONCE(400),
    /** RFC 9101, section 7. */
    INVALID_REQUEST_URI(400),
    INVALID_REQUEST_OBJECT(400),
    /** OpenID Connect Core 3.1.2.6. */
    INTERACTION_REQUIRED(400),
    LOGIN_REQUIRED(400),
    CONSENT_REQUIRED(400),
    ACCOUNT_SELECTION_REQUIRED(400),
    REGISTRATION_NOT_SUPPORTED(400),
    /** OpenID Connect Core Unmet Authentication Requirements 1.0. */
    UNMET_AUTHENTICATION_REQUIREMENTS(400),
    /** RFC 8628, section 3.5. */
    AUTHORIZATION_PENDING(400),
    SLOW_DOWN(400),
    EXPIRED_TOKEN(400),
    /** RFC 7009, section 2.2.1. */
    UNSUPPORTED_TOKEN_TYPE(400),
    /** RFC 7591, section 3.2.2. */
    INVALID_REDIRECT_URI(400),
    INVALID_CLIENT_METADATA(400);

    private final int status;

    Code(int status) {
      this.status = status;
    }

    public int status() {
      return status;
    }

    /** The code as it appears in messages. */
    public String value() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  public static OAuthError of(Code code, String description) {
    return new OAuthError(code, description, Optional.empty(), Optional.empty());
  }

  /** The error that demands this nonce in the client's proof. */
  public static OAuthError nonceWanted(String description, String nonce) {
    return new OAuthError(Code.USE_DPOP_NONCE, description, Optional.empty(), Optional.of(nonce));
  }

  /** Too many wrong attempts: this one was not checked, or its result is not revealed (RFC 6585, section 4). */
  public static OAuthError slowed(Code code, String description, Duration retryAfter) {
    return new OAuthError(code, description, Optional.of(retryAfter), Optional.empty());
  }

  /** The status of the answer. */
  public int status() {
    return retryAfter.isPresent() ? TOO_MANY_REQUESTS : code.status();
  }

  public static <T> Result<T, OAuthError> refused(Code code, String description) {
    return Result.refused(of(code, description));
  }
}
