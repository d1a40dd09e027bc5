package dev.gatehouse.perf.oauth;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The realm that Keycloak imports: the same clients, rotating refresh tokens, and the people of the same slapd. A
 * client may introspect only tokens that are for it.
 */
final class KeycloakRealm {

  static final String NAME = "bench";

  private KeycloakRealm() {}

  static String json(int ldapPort) {
    String clients =
        Stream.of(BenchClient.RS256, BenchClient.ES256).map(KeycloakRealm::client).collect(Collectors.joining(", "));
    return """
        {
          "realm": "%1$s", "enabled": true, "sslRequired": "none",
          "ssoSessionIdleTimeout": 36000, "ssoSessionMaxLifespan": 36000, "accessTokenLifespan": 28800,
          "accessTokenLifespanForImplicitFlow": 28800, "revokeRefreshToken": true, "refreshTokenMaxReuse": 0,
          "clients": [%2$s],
          "components": {"org.keycloak.storage.UserStorageProvider": [%3$s]}
        }
        """
        .formatted(NAME, clients, directory(ldapPort));
  }

  private static String client(BenchClient client) {
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

  private static String directory(int port) {
    String mappers =
        Stream.of(
                mapper("username", "uid"),
                mapper("email", "mail"),
                mapper("firstName", "givenName"),
                mapper("lastName", "sn"))
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

  private static String mapper(String attribute, String ldapAttribute) {
    return """
        {"name": "%1$s", "providerId": "user-attribute-ldap-mapper", "config": {
          "user.model.attribute": ["%1$s"], "ldap.attribute": ["%2$s"], "read.only": ["true"],
          "always.read.value.from.ldap": ["false"], "is.mandatory.in.ldap": ["true"]}}"""
        .formatted(attribute, ldapAttribute);
  }
}
