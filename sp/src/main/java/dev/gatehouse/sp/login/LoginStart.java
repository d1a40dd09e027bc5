package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.sp.edge.SpRealm;

/** Sends a person to an identity provider, by the protocol that it speaks. */
@FunctionalInterface
public interface LoginStart {

  /**
   * Begins a login; {@code request} came to the home origin.
   *
   * @param identityProvider entity ID or issuer
   */
  EdgeReply begin(SpRealm realm, EdgeRequest request, LoginRequest wish, String identityProvider);
}
