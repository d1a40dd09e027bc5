package dev.gatehouse.idp.agent.radius;

import dev.gatehouse.common.realm.Secret;
import java.net.InetSocketAddress;
import java.util.Set;

/**
 * Where programs of this host ask by RADIUS.
 *
 * @param address on loopback
 * @param users who may send packets without signature, besides root and the agent's own user
 * @param language of what people read: en or de
 */
public record LocalRadiusSettings(InetSocketAddress address, Secret secret, Set<String> users, String language) {

  public LocalRadiusSettings {
    if (!address.getAddress().isLoopbackAddress()) {
      throw new IllegalArgumentException("RADIUS of an agent is for this host alone: " + address);
    }
  }
}
