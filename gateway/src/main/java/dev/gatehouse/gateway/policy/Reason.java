package dev.gatehouse.gateway.policy;

/** The reason why a request was denied; a closed list. */
public enum Reason {
  /** No realm of this node serves the host. */
  HOST_UNKNOWN(421, "host-unknown"),
  /** No route covers the path. */
  ROUTE_NOT_FOUND(404, "not-found"),
  /** The path contains characters or escapes that parsers interpret differently. */
  PATH_AMBIGUOUS(400, "bad-request"),
  /** The person has none of the required roles. */
  ROLE_MISSING(403, "denied"),
  /** A rule of a policy denies. */
  POLICY_DENIED(403, "denied"),
  /** The route has policies, and none of their rules permits. */
  NO_RULE_PERMITS(403, "denied"),
  /** A rule's expression failed, so its result is unknown. */
  EXPRESSION_FAILED(403, "denied"),
  /** The path has routes, but none for the method; reported only to a subject that may use one of them. */
  METHOD_NOT_ALLOWED(405, "method-not-allowed"),
  /** Identity data of the person cannot be sent to the app unchanged. */
  IDENTITY_NOT_SENDABLE(403, "denied"),
  /** A page of another origin opens a WebSocket, or the page's origin is unknown. */
  WEBSOCKET_ORIGIN(403, "denied"),
  /** A WebSocket handshake does not conform to RFC 6455. */
  WEBSOCKET_HANDSHAKE(400, "bad-request"),
  /** A WebSocket of another version than 13. */
  WEBSOCKET_VERSION(426, "bad-request"),
  /** There is no access token. */
  TOKEN_MISSING(401, "token-refused"),
  /** The token lacks a required scope. */
  SCOPE_MISSING(403, "denied"),
  /** The token is from a login that is too weak for the route. */
  AUTHENTICATION_TOO_WEAK(401, "token-refused");

  private final int status;
  private final String page;

  Reason(int status, String page) {
    this.status = status;
    this.page = page;
  }

  public int status() {
    return status;
  }

  /** The kind of error page, a key of the message bundle. */
  public String page() {
    return page;
  }
}
