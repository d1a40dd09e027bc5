package dev.gatehouse.common.realm;

/** Who may open WebSockets at a route (RFC 6455). */
public record WebSocketConfig() {

  /** Pages of the same origin. */
  public static final WebSocketConfig SAME_ORIGIN = new WebSocketConfig();
}
