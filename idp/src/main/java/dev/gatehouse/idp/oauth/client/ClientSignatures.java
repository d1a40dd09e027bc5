package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.Realm;

/**
 * Whether a JWT is a client's. Which kind of key counts follows from the algorithm alone: HS256 asks for the client's
 * secret, never for the text of a public key (RFC 8725, section 2.1).
 */
public final class ClientSignatures {

  private final ClientKeys keys;
  private final ClientSecrets secrets;

  public ClientSignatures(ClientKeys keys, ClientSecrets secrets) {
    this.keys = keys;
    this.secrets = secrets;
  }

  public boolean isSigned(Realm realm, Client client, ReceivedJwt jwt) {
    return jwt.algorithm() == JwsName.HS256
        ? secrets.key(realm, client).filter(jwt::isSignedBy).isPresent()
        : keys.verify(client, jwt);
  }
}
