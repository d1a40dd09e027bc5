package dev.gatehouse.common.realm;

/** What a node's configuration says of its gateway besides listeners: limits, memory, the access log. */
public record GatewayNodeConfig() {

  /** Nothing said. */
  public static final GatewayNodeConfig USUAL = new GatewayNodeConfig();
}
