package dev.gatehouse.perf.gateway;

import dev.gatehouse.perf.http.Answer;
import dev.gatehouse.perf.http.Client;
import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.Lifetimes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Gatehouse node: gateway, service provider and identity provider in one process, people in slapd, with an access
 * log.
 */
public record Gateway(GatehouseNode node, int http, int rsa, int p256, String idpUrl) implements AutoCloseable {

  static final String REALM = "bench";

  /**
   * What may differ between benchmarks.
   *
   * @param storage keys of gatehouse.yaml, as {@link GatehouseNode#configure} takes them; others may follow
   * @param assurance of the sessions at both sides, to which browsers come by https then
   * @param lifetimes of the sessions at both sides; without them eight hours at the gateway, and the usual ones at the identity provider
   */
  public record Setting(String storage, Optional<String> assurance, Optional<Lifetimes> lifetimes) {

    /** The sessions of the identity provider, as a line of its section; empty for the usual ones. */
    String idpSession() {
      String keys = Stream.concat(lifetimes.map(Lifetimes::session).stream(), bound()).collect(Collectors.joining(", "));
      return keys.isEmpty() ? "" : "  session: {" + keys + "}\n";
    }

    /** The sessions at the gateway. */
    String spSession() {
      Stream<String> times = Stream.of(lifetimes.map(Lifetimes::session).orElse("idle: 8h, absolute: 8h"));
      return Stream.concat(times, bound()).collect(Collectors.joining(", "));
    }

    private Stream<String> bound() {
      return assurance.map(how -> "assurance: " + how).stream();
    }
  }

  /** @param storage as in {@link Setting} */
  public static Gateway start(Build build, Path work, String storage, int appPort, int ldapPort, Certificates rsa, Certificates p256)
      throws IOException, InterruptedException {
    return start(build, work, new Setting(storage, Optional.empty(), Optional.empty()), appPort, ldapPort, rsa, p256);
  }

  public static Gateway start(Build build, Path work, Setting setting, int appPort, int ldapPort, Certificates rsa, Certificates p256)
      throws IOException, InterruptedException {
    boolean isSecure = setting.assurance().isPresent();
    int http = FreePorts.take();
    int rsaPort = FreePorts.take();
    int p256Port = FreePorts.take();
    int idp = FreePorts.take();
    String idpUrl = (isSecure ? "https" : "http") + "://127.0.0.1:" + idp;
    String certificate = ", certificate: \"" + p256.certificate() + "\", privateKey: \"" + p256.privateKey() + "\"";
    String listeners =
        """
        idp: [{address: 127.0.0.1, port: %d%s}]
          gateway:
            - {address: 127.0.0.1, port: %d}
            - {address: 127.0.0.1, port: %d, certificate: "%s", privateKey: "%s"}
            - {address: 127.0.0.1, port: %d, certificate: "%s", privateKey: "%s"}
        """
            .formatted(
                idp, isSecure ? certificate : "", http, rsaPort, rsa.certificate(), rsa.privateKey(),
                p256Port, p256.certificate(), p256.privateKey())
            .strip();
    // The open connections of the memory measurement come from one address.
    String more = setting.storage() + "\naccessLog: {file: access.log, format: combined}\nlimits: {connectionsPerAddress: 20000}\n"
            + (isSecure ? "outbound: {ca: \"" + p256.certificate() + "\"}\n" : "");
    Map<String, String> realms = Map.of(REALM, realm(http, rsaPort, p256Port, idpUrl, appPort, ldapPort, setting));
    GatehouseNode node =
        GatehouseNode.configure("gatehouse", work, "[idp, sp, gateway]", listeners, more, http, realms).start(build);
    return new Gateway(node.await(), http, rsaPort, p256Port, idpUrl);
  }

  static String realm(int http, int rsa, int p256, String idpUrl, int app, int ldap, Setting setting) {
    return """
        idp:
          publicUrl: %4$s
        %9$s  throttle: {perAccount: 1000, perAddress: 1000000}
        sp:
          publicUrl: http://127.0.0.1:%1$d
          otherOrigins: ["https://127.0.0.1:%2$d", "https://127.0.0.1:%3$d"]
          session: {%10$s}
        %6$s  groups: {base: "ou=groups,dc=example,dc=com"}
        partners:
          - entityId: http://127.0.0.1:%1$d/.gatehouse/saml/metadata
            metadata: http://127.0.0.1:%1$d/.gatehouse/saml/metadata
            release: [uid, mail, roles, groups]
          - entityId: %4$s/realms/bench
            metadata: %4$s/realms/bench/saml/metadata
        routes:
          - path: /role/
            upstream: http://127.0.0.1:%5$d
            roles: [%7$s]
            contract: basic
            passwordCache: 1d
            cache: {shareByRole: true}
          - path: /mark/
            upstream: http://127.0.0.1:%5$d
            contract: basic
            passwordCache: 1d
            cache: {shareByRole: true}
        %8$s"""
        .formatted(
            http, rsa, p256, idpUrl, app, GatehouseNode.directory(ldap, "uid: uid, cn: cn, mail: mail, unit: ou"), Scenario.roles(),
            Scenario.routes(app), setting.idpSession(), setting.spSession());
  }

  /** As people reach it. */
  Scenario.Site site() {
    return new Scenario.Site("http://127.0.0.1:" + http, "https://127.0.0.1:" + p256, idpUrl);
  }

  /** The Cookie field of a person who is logged in, valid at that origin. */
  String loggedIn(URI origin) throws IOException {
    try (Client client = Client.program(URI.create(node.url()))) {
      Answer answer = client.send(client.get("/app/small", Visits.basic(1)));
      if (answer.status() != 200) {
        throw new IOException("nobody can log in at " + origin + ": " + answer.status() + "\n" + answer.body());
      }
      String cookie = Visits.cookie(answer);
      return "Cookie: " + (origin.getScheme().equals("https") ? "__Host-" : "") + cookie;
    }
  }

  @Override
  public void close() {
    node.close();
  }
}
