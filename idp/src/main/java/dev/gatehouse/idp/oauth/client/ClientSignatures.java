package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.Realm;
import java.util.Optional;

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

  /** What is wrong with the JWT's signature, for the client's developer; empty where it is the client's. */
  public Optional<String> problem(Realm realm, Client client, ReceivedJwt jwt) {
    boolean symmetric = jwt.algorithm() == JwsName.HS256;
    boolean signed =
        symmetric ? secrets.key(realm, client).filter(jwt::isSignedBy).isPresent() : keys.verify(client, jwt);
    if (signed) {
      return Optional.empty();
    }
    Optional<String> unknown = symmetric ? Optional.empty() : keys.problem(client);
    return Optional.of(
        unknown.map(problem -> "its signature cannot be checked: " + problem).orElse("its signature is not the client's"));
  }
}
