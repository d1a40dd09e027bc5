package dev.gatehouse.common.faults;

import dev.gatehouse.common.db.Postgres;
import dev.gatehouse.common.jose.TestKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The configuration of a site: one {@code gatehouse.yaml} for each node, and the realm. */
final class SiteFiles {

  static final String SECRET = "a-secret-of-a-client-in-a-test";
  /** The number of clients that ask for consent. */
  static final int ASKING = 200;

  private SiteFiles() {}

  /** What a node does for people. */
  enum Roles {
    ALL("idp, sp, gateway"),
    IDP("idp"),
    GATEWAY("sp, gateway");

    private final String words;

    Roles(String words) {
      this.words = words;
    }

    boolean isIdp() {
      return this != GATEWAY;
    }

    boolean isGateway() {
      return this != IDP;
    }
  }

  /**
   * A node.
   *
   * @param number its index; without, it takes one by itself, as is the default
   */
  record Node(Roles roles, Balancer.Ports ports, Path folder, OptionalInt number) {

    /**
     * Returns its {@code gatehouse.yaml}.
     *
     * @param postgres ports of both servers
     * @param valkey the key and the value with the servers
     */
    String configuration(List<Integer> postgres, String valkey, Duration staleness) {
      return """
          roles: [%s]
          listeners:
          %s%s  admin: {port: %d}
          %sstorage: shared
          data: %s
          masterKey: %s
          postgresql: {url: "postgresql://127.0.0.1:%d,127.0.0.1:%d/postgres", user: gatehouse, password: %s}
          valkey: {%s, tls: false, staleness: %ds}
          """
          .formatted(
              roles.words, roles.isIdp() ? listener("idp", ports.idp()) : "", roles.isGateway() ? listener("gateway", ports.apps()) : "",
              ports.admin(), number.isPresent() ? "index: " + number.getAsInt() + "\n" : "", folder.resolve("data"),
              Base64.getEncoder().encodeToString(new byte[32]), postgres.getFirst(), postgres.getLast(), Postgres.password(), valkey,
              staleness.toSeconds());
    }

    private static String listener(String name, int port) {
      return "  %s: {address: 127.0.0.1, port: %d}\n".formatted(name, port);
    }
  }

  /**
   * Returns the file of the realm.
   *
   * @param people the ports that people know
   * @param directory ports of the directories
   */
  static String realm(Path folder, Balancer.Ports people, List<Integer> directory, int samplePort, TestKey key) throws IOException {
    Path keys = Files.writeString(folder.resolve("client-keys.json"), key.jwks());
    String urls = directory.stream().map(port -> "\"ldap://127.0.0.1:" + port + "\"").collect(Collectors.joining(", "));
    String asking =
        IntStream.range(0, ASKING)
            .mapToObj(
                i ->
                    "  - {clientId: asks%d, secret: %s, consent: true, redirectUris: [\"http://127.0.0.1:9/callback\"]}\n"
                        .formatted(i, SECRET))
            .collect(Collectors.joining());
    return """
        idp:
          publicUrl: http://%1$s:%2$d
          oauth: {registration: loopback}
        sp:
          publicUrl: http://%3$s:%4$d
        directory:
          urls: [%5$s]
          base: ou=people,dc=example,dc=org
          filter: (&(objectClass=inetOrgPerson)(uid={name}))
          groups: {base: "ou=groups,dc=example,dc=org"}
        partners:
          - entityId: http://%3$s:%4$d/.gatehouse/saml/metadata
            metadata: http://%3$s:%4$d/.gatehouse/saml/metadata
            release: [uid, mail]
            logout: soap
          - entityId: http://%1$s:%2$d/realms/office
            metadata: http://%1$s:%2$d/realms/office/saml/metadata
        clients:
          - clientId: web
            secret: %6$s
            grants: [code, refresh, clientCredentials]
            redirectUris: ["http://127.0.0.1:9/callback"]
            scopes: [openid, offline_access]
            accessToken: {format: opaque}
          - clientId: keyed
            authentication: privateKeyJwt
            jwks: %7$s
            grants: [clientCredentials]
        %8$sroutes:
          - {path: /, upstream: "http://127.0.0.1:%9$d", inject: {Remote-User: user}}
        """
        .formatted(Balancer.IDP_HOST, people.idp(), Balancer.APP_HOST, people.apps(), urls, SECRET, keys, asking, samplePort);
  }
}
