package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.harness.Server;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.KeycloakServer;
import dev.gatehouse.perf.server.Lifetimes;
import dev.gatehouse.perf.server.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An authorization server under test, with the clients of {@link BenchClient} and people in slapd. */
public record OAuthServer(Server server, URI url, Endpoints endpoints) {

  private static final String REALM = "bench";

  /** The paths of its endpoints; {@code oauth} is where they are. */
  public record Endpoints(
      String oauth, String authorize, String token, String introspect, String userInfo, String tokenInfo, String push) {

    public String revoke() {
      return oauth + "/revoke";
    }
  }

  /** The configuration of a Gatehouse node with durable embedded storage. */
  public static GatehouseNode.Configured configure(Path directory, ServerProcess slapd) throws IOException {
    return configure(directory, slapd, "");
  }

  /** @param storage keys of gatehouse.yaml, as {@link GatehouseNode#configure} takes them */
  public static GatehouseNode.Configured configure(Path directory, ServerProcess slapd, String storage) throws IOException {
    return configure(directory, slapd.port(), storage, Optional.empty());
  }

  /**
   * @param storage keys of gatehouse.yaml, as {@link GatehouseNode#configure} takes them
   * @param lifetimes of sessions and tokens; without them eight hours, and thirty days for refresh tokens
   */
  public static GatehouseNode.Configured configure(Path directory, int ldapPort, String storage, Optional<Lifetimes> lifetimes)
      throws IOException {
    int port = FreePorts.take();
    String realm =
        """
        keys: {algorithm: rsa-2048}
        idp:
          publicUrl: http://127.0.0.1:%d
          session: {%s}
          oauth: {%s}
        %sclients:
        %s"""
            .formatted(
                port,
                lifetimes.map(Lifetimes::session).orElse("idle: 8h, absolute: 8h"),
                lifetimes.map(Lifetimes::oauth).orElse("accessTokenLife: 8h"),
                GatehouseNode.directory(ldapPort, "uid: uid, cn: cn, givenName: givenName, sn: sn, mail: mail"),
                Arrays.stream(BenchClient.values()).map(OAuthServer::client).collect(Collectors.joining()));
    return GatehouseNode.configure(
        "gatehouse", directory, "[idp]", GatehouseNode.listener("idp", port), storage, port, Map.of(REALM, realm));
  }

  private static String client(BenchClient client) {
    return """
          - clientId: %1$s
            secret: %2$s
            grants: [code, refresh, clientCredentials, password, implicit]
            redirectUris: ["%3$s"]
            accessToken: {format: %4$s, algorithm: %5$s}
            idToken: {algorithm: %5$s}
        """
        .formatted(client.id(), BenchClient.SECRET, BenchClient.CALLBACK, client.format(), client.algorithm());
  }

  /** A node that was started from {@link #configure}. */
  public static OAuthServer of(Build build, GatehouseNode node, ServerProcess slapd) {
    String oauth = "/realms/" + REALM + "/oauth";
    Endpoints endpoints =
        new Endpoints(
            oauth, oauth + "/authorize", oauth + "/token", oauth + "/introspect", oauth + "/userinfo", oauth + "/tokeninfo",
            oauth + "/par");
    return new OAuthServer(new Server(build.name(), List.of(node.process(), slapd)), URI.create(node.url()), endpoints);
  }

  /** Keycloak with sessions in PostgreSQL, and people in the same slapd. It has no tokeninfo. */
  static OAuthServer of(KeycloakServer keycloak, ServerProcess slapd) {
    String oauth = "/realms/" + REALM + "/protocol/openid-connect";
    Endpoints endpoints =
        new Endpoints(
            oauth, oauth + "/auth", oauth + "/token", oauth + "/token/introspect", oauth + "/userinfo", "",
            oauth + "/ext/par/request");
    Server server = new Server("Keycloak", List.of(keycloak.process(), keycloak.database(), slapd));
    return new OAuthServer(server, URI.create(keycloak.url()), endpoints);
  }

  /** Starts Keycloak and waits for it. */
  static KeycloakServer keycloak(Path directory, ServerProcess slapd) throws IOException, InterruptedException {
    String json =
        """
        {
          "realm": "%1$s", "enabled": true, "sslRequired": "none",
          "ssoSessionIdleTimeout": 36000, "ssoSessionMaxLifespan": 36000, "accessTokenLifespan": 28800,
          "accessTokenLifespanForImplicitFlow": 28800, "revokeRefreshToken": true, "refreshTokenMaxReuse": 0,
          "clients": [%2$s],
          "components": {"org.keycloak.storage.UserStorageProvider": [%3$s]}
        }
        """
            .formatted(
                REALM,
                Stream.of(BenchClient.RS256, BenchClient.ES256).map(OAuthServer::keycloakClient).collect(Collectors.joining(", ")),
                keycloakDirectory(slapd.port()));
    KeycloakServer keycloak = KeycloakServer.start(directory, REALM, json);
    keycloak.await(REALM);
    return keycloak;
  }

  /** The same client with rotating refresh tokens; it may introspect only tokens that are for it. */
  private static String keycloakClient(BenchClient client) {
    return """
        {
          "clientId": "%1$s", "secret": "%2$s", "clientAuthenticatorType": "client-secret",
          "protocol": "openid-connect", "enabled": true, "publicClient": false, "consentRequired": false,
          "redirectUris": ["%3$s"],
          "standardFlowEnabled": true, "implicitFlowEnabled": true, "directAccessGrantsEnabled": true,
          "serviceAccountsEnabled": true,
          "attributes": {"access.token.signed.response.alg": "%4$s", "id.token.signed.response.alg": "%4$s"},
          "protocolMappers": [{
            "name": "itself", "protocol": "openid-connect", "protocolMapper": "oidc-audience-mapper",
            "config": {"included.client.audience": "%1$s", "access.token.claim": "true", "id.token.claim": "false"}}]
        }"""
        .formatted(client.id(), BenchClient.SECRET, BenchClient.CALLBACK, client.algorithm());
  }

  private static String keycloakDirectory(int port) {
    String mappers =
        Stream.of("username=uid", "email=mail", "firstName=givenName", "lastName=sn")
            .map(mapper -> mapper.split("=", 2))
            .map(
                mapper ->
                    """
                    {"name": "%1$s", "providerId": "user-attribute-ldap-mapper", "config": {
                      "user.model.attribute": ["%1$s"], "ldap.attribute": ["%2$s"], "read.only": ["true"],
                      "always.read.value.from.ldap": ["false"], "is.mandatory.in.ldap": ["true"]}}"""
                        .formatted(mapper[0], mapper[1]))
            .collect(Collectors.joining(", "));
    return """
        {
          "name": "slapd", "providerId": "ldap",
          "config": {
            "enabled": ["true"], "priority": ["0"], "vendor": ["other"], "editMode": ["READ_ONLY"],
            "importEnabled": ["true"], "syncRegistrations": ["false"], "cachePolicy": ["DEFAULT"],
            "trustEmail": ["true"],
            "connectionUrl": ["ldap://127.0.0.1:%d"], "connectionPooling": ["true"], "authType": ["none"],
            "usersDn": ["ou=people,dc=example,dc=com"], "searchScope": ["2"], "pagination": ["false"],
            "usernameLDAPAttribute": ["uid"], "rdnLDAPAttribute": ["uid"], "uuidLDAPAttribute": ["entryUUID"],
            "userObjectClasses": ["inetOrgPerson"], "batchSizeForSync": ["1000"], "fullSyncPeriod": ["-1"],
            "changedSyncPeriod": ["-1"]},
          "subComponents": {"org.keycloak.storage.ldap.mappers.LDAPStorageMapper": [%s]}
        }"""
        .formatted(port, mappers);
  }
}
