package dev.gatehouse.common.realm.file;

import dev.gatehouse.common.realm.GatewayNodeConfig;

/** Reads what {@code gatehouse.yaml} says of the gateway besides its listeners. */
final class GatewayNodeYaml {

  private final Section root;

  GatewayNodeYaml(Section root) {
    this.root = root;
  }

  GatewayNodeConfig read() {
    return new GatewayNodeConfig(new AccessLogYaml(root).read());
  }
}
