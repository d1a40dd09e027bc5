package dev.gatehouse.common.logout;

/** The reason of a logout, as in the Reason of a LogoutRequest (SAML Core 3.7.3 and 3.7.3.2). */
public enum LogoutReason {
  /** The person logged out. */
  USER("urn:oasis:names:tc:SAML:2.0:logout:user"),

  /** An administrator ended the session, or a change in the directory did. */
  ADMIN("urn:oasis:names:tc:SAML:2.0:logout:admin"),

  /** The session authority's session has reached its idle or absolute end. */
  GLOBAL_TIMEOUT("urn:oasis:names:tc:SAML:2.0:logout:global-timeout");

  private final String uri;

  LogoutReason(String uri) {
    this.uri = uri;
  }

  public String uri() {
    return uri;
  }
}
