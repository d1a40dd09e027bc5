package dev.gatehouse.gateway.policy;

/** Why a request was denied: the whole list. */
public enum Reason {
  /** No realm of this node serves the host. */
  HOST_UNKNOWN(421, "host-unknown"),
  /** No route covers the path. */
  ROUTE_NOT_FOUND(404, "not-found"),
  /** The path has characters or escapes that no reader understands in one way only. */
  PATH_AMBIGUOUS(400, "bad-request"),
  /** The person has none of the roles that the route asks for. */
  ROLE_MISSING(403, "denied"),
  /** A rule of a policy denies. */
  POLICY_DENIED(403, "denied"),
  /** The route has policies, and no rule of theirs permits. */
  NO_RULE_PERMITS(403, "denied"),
  /** A rule's expression has no value: what it would have said is not known. */
  EXPRESSION_FAILED(403, "denied"),
  /** The path has routes, but none for the method; told only to who may use one of them. */
  METHOD_NOT_ALLOWED(405, "method-not-allowed"),
  /** What the app was to be told of the person cannot be sent without changing it. */
  IDENTITY_NOT_SENDABLE(403, "denied"),
  /** A page of another origin wants to open a WebSocket, or nobody says which page does. */
  WEBSOCKET_ORIGIN(403, "denied"),
  /** A WebSocket's handshake is not as RFC 6455 says. */
  WEBSOCKET_HANDSHAKE(400, "bad-request"),
  /** A WebSocket of another version than 13. */
  WEBSOCKET_VERSION(426, "bad-request"),
  /** There is no access token. */
  TOKEN_MISSING(401, "token-refused"),
  /** The token has not all scopes that the route asks for. */
  SCOPE_MISSING(403, "denied"),
  /** The token comes of a login that the route finds too weak. */
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
