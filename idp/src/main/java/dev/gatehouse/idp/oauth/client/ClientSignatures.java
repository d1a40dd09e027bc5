package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.jose.ReceivedJwt;
import dev.gatehouse.common.realm.ClientConfig.JwsName;
import dev.gatehouse.common.realm.Realm;
import java.util.Optional;

/**
 * Checks whether a client signed a JWT. The algorithm alone determines the kind of key: HS256 uses the client's secret,
 * never the text of a public key (RFC 8725, section 2.1).
 */
public final class ClientSignatures {

  private final ClientKeys keys;
  private final ClientSecrets secrets;

  public ClientSignatures(ClientKeys keys, ClientSecrets secrets) {
    this.keys = keys;
    this.secrets = secrets;
  }

  /**
   * Describes the problem with the JWT's signature to the client's developer; empty if the signature is the client's.
   */
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
