package dev.gatehouse.common.realm;

import java.util.Optional;

/**
 * What a node's configuration says of its gateway besides listeners: limits, memory, the access log.
 *
 * @param accessLog none where empty
 */
public record GatewayNodeConfig(Optional<AccessLogConfig> accessLog) {

  /** Nothing said. */
  public static final GatewayNodeConfig USUAL = new GatewayNodeConfig(Optional.empty());
}
