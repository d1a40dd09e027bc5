package dev.gatehouse.common.session;

import dev.gatehouse.common.crypto.Sha256;


/**
 * Identifies a session in stores, logs and the admin API: the SHA-256 of its token, base64url. The id does not give access to
 * the session.
 */
public record SessionId(String value) {

  public static SessionId of(SessionToken token) {
    return new SessionId(Sha256.base64Url(token.value()));
  }

  @Override
  public String toString() {
    return value;
  }
}
