package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.http.EdgeReply;
import dev.gatehouse.idp.endpoint.Endpoint;
import dev.gatehouse.idp.endpoint.RealmRequest;

/**
 * The provider's metadata, at the two addresses that specifications define: below the issuer (OpenID Connect Discovery
 * 4), and with the issuer's path at the end (RFC 8414, section 3.1). The same document at both.
 */
final class DiscoveryEndpoint implements Endpoint {

  static final String PATH = ".well-known/openid-configuration";
  static final String OAUTH_PATH = ".well-known/oauth-authorization-server";

  @Override
  public EdgeReply handle(RealmRequest request) {
    return PublicJson.reply(Json.text(ProviderMetadata.of(request)));
  }
}
