package dev.gatehouse.common.logout;

/** Why a session ends, as a LogoutRequest's Reason says it (SAML Core 3.7.3 and 3.7.3.2). */
public enum LogoutReason {
  /** The person wants it. */
  USER("urn:oasis:names:tc:SAML:2.0:logout:user"),

  /** An administrator wants it, or what the directory says. */
  ADMIN("urn:oasis:names:tc:SAML:2.0:logout:admin"),

  /** The session authority's session is over: idle or absolute end. */
  GLOBAL_TIMEOUT("urn:oasis:names:tc:SAML:2.0:logout:global-timeout");

  private final String uri;

  LogoutReason(String uri) {
    this.uri = uri;
  }

  public String uri() {
    return uri;
  }
}
