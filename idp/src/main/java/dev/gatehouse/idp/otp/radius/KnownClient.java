package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.realm.Realm.RadiusConfig.Client;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.idp.otp.packet.SharedSecret;
import java.net.InetAddress;

/**
 * A configured client, and the realm as it was when its packet came.
 *
 * @param secret what packets are checked and answered with; over TLS the one that everybody knows
 */
record KnownClient(Realm realm, Client config, SharedSecret secret) {

  String name() {
    return config.name();
  }

  /**
   * Returns whether nobody but the person can read an answer: within TLS, or on this host, and at a client that is said to show it to the
   * person itself. A proxy passes it on, and elsewhere only passwords are hidden.
   */
  boolean isConfidential(InetAddress from) {
    return config.showsPins() && (secret == ClientTable.RADSEC || from.isLoopbackAddress());
  }

  /** Returns the name under which passcodes and challenges know the client. */
  String asker() {
    return "radius:" + config.name();
  }
}
