package dev.gatehouse.idp.oauth.client;

import dev.gatehouse.common.node.Node.AdminLogin;
import dev.gatehouse.common.realm.ClientAuthentication;
import dev.gatehouse.common.realm.ClientAuthentication.Method;
import dev.gatehouse.common.realm.ClientConfig;
import dev.gatehouse.common.realm.ClientConfig.GrantType;
import dev.gatehouse.common.realm.Realm;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The client of the console, in the realm where administrators log in. It exists without configuration, and none changes it: it may use
 * the code flow with PKCE to its one redirect URI for the scope {@code openid}. It is confidential and has no credentials, so that
 * no endpoint gives it a token; its codes are redeemed in this process.
 */
public final class ConsoleClient {

  private final Optional<AdminLogin> login;
  private final Optional<Client> client;

  /** @param login empty on a node where nobody logs in as an administrator */
  public ConsoleClient(Optional<AdminLogin> login) {
    this.login = login;
    this.client = login.map(ConsoleClient::client);
  }

  Optional<Client> find(Realm realm, String clientId) {
    return clientId.equals(AdminLogin.CLIENT_ID) && login.filter(here -> here.realm().equals(realm.name())).isPresent()
        ? client
        : Optional.empty();
  }

  private static Client client(AdminLogin login) {
    ClientAuthentication noCredentials = new ClientAuthentication(Set.of(Method.PRIVATE_KEY_JWT), Optional.empty(), Optional.empty());
    return new Client(
        new ClientConfig(
            AdminLogin.CLIENT_ID,
            Optional.of("Gatehouse"),
            noCredentials,
            new ClientConfig.Permissions(Set.of(GrantType.CODE), List.of(login.redirectUri()), Set.of("openid"), List.of()),
            new ClientConfig.Login(new ClientConfig.SubjectType.Public(), false, Optional.empty()),
            ClientConfig.Requests.USUAL,
            ClientConfig.Tokens.USUAL,
            Optional.empty(),
            ClientConfig.Logout.NONE,
            ClientConfig.About.NOTHING),
        Client.Origin.BUILT_IN);
  }
}
