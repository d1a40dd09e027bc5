package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.GrantType;

/**
 * The current state of a client.
 *
 * @param registered whether it registered at run time (RFC 7591); otherwise it is configured
 */
public record Client(ClientConfig config, boolean registered) {

  public String id() {
    return config.clientId();
  }

  public boolean may(GrantType grant) {
    return config.permissions().grants().contains(grant);
  }
}
