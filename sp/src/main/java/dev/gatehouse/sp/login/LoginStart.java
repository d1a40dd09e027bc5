package dev.gatehouse.sp.login;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.common.http.EdgeRequest;
import dev.gatehouse.sp.edge.SpRealm;

/** Sends a person to an identity provider, with the protocol of that provider. */
@FunctionalInterface
public interface LoginStart {

  /**
   * Begins a login. The request came to the home origin.
   *
   * @param identityProvider entity ID or issuer
   */
  EdgeReply begin(SpRealm realm, EdgeRequest request, LoginRequest loginRequest, String identityProvider);
}
