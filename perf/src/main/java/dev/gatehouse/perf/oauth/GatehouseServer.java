package dev.gatehouse.perf.oauth;

import dev.gatehouse.perf.server.Build;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The Gatehouse idp: a separate node with durable embedded storage and people in slapd. */
final class GatehouseServer implements AuthorizationServer {

  private static final String REALM = "bench";
  private static final String NODE = "gatehouse";

  private final String name;
  private final URI url;
  private final Path directory;
  private final GatehouseNode.Configured configured;
  private final GatehouseNode node;
  private final SlapdServer slapd;

  private GatehouseServer(
      String name, URI url, Path directory, GatehouseNode.Configured configured, GatehouseNode node, SlapdServer slapd) {
    this.name = name;
    this.url = url;
    this.directory = directory;
    this.configured = configured;
    this.node = node;
    this.slapd = slapd;
  }

  static GatehouseServer start(Build build, Path directory, SlapdServer slapd) throws IOException {
    int port = FreePorts.take();
    String url = "http://127.0.0.1:" + port;
    GatehouseNode.Configured configured =
        GatehouseNode.configure(
                NODE,
                directory,
                "[idp]",
                "idp: [{address: 127.0.0.1, port: " + port + "}]",
                Map.of(REALM, realm(url, slapd.port())));
    return new GatehouseServer(
        build.name(), URI.create(url), directory, configured, configured.start(build), slapd);
  }

  /** Starts another node on the same address and data, after this one was closed. */
  GatehouseServer startAgain(Build build) throws IOException {
    return new GatehouseServer(name, url, directory, configured, configured.start(build), slapd);
  }

  /** The folder with its configuration. */
  Path config() {
    return directory.resolve(NODE);
  }

  private static String realm(String url, int ldapPort) {
    return """
        keys: {algorithm: rsa-2048}
        idp:
          publicUrl: %s
          session: {idle: 8h, absolute: 8h}
          oauth: {accessTokenLife: 8h}
        directory:
          urls: [ldap://127.0.0.1:%d]
          base: ou=people,dc=example,dc=com
          filter: (uid={name})
          attributes: {uid: uid, cn: cn, givenName: givenName, sn: sn, mail: mail}
        clients:
        """
            .formatted(url, ldapPort)
        + Arrays.stream(BenchClient.values()).map(GatehouseServer::client).collect(Collectors.joining());
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

  @Override
  public String name() {
    return name;
  }

  @Override
  public URI url() {
    return url;
  }

  @Override
  public Endpoints endpoints() {
    String oauth = "/realms/" + REALM + "/oauth/";
    return new Endpoints(
        oauth + "authorize",
        oauth + "token",
        oauth + "introspect",
        oauth + "userinfo",
        oauth + "tokeninfo",
        oauth + "par");
  }

  @Override
  public void await() throws IOException, InterruptedException {
    node.await();
  }

  /** Waits until the node is ready, or its process has ended, in which case it returns false. */
  boolean comesUp() throws InterruptedException {
    long end = System.nanoTime() + 90_000_000_000L;
    while (node.process().isAlive() && System.nanoTime() < end) {
      if (node.isReady()) {
        return true;
      }
      Thread.sleep(50);
    }
    return false;
  }

  /** The complete output of the node. */
  String output() throws IOException {
    return node.process().output();
  }

  /** Whether the readiness endpoint reports that it is ready. */
  boolean isReady() {
    return node.isReady();
  }

  @Override
  public List<ServerProcess> processes() {
    return List.of(node.process(), slapd.process());
  }

  /** The folder of its persistent data. */
  Path data() {
    return directory.resolve(NODE).resolve("data");
  }

  @Override
  public void close() {
    node.close();
  }
}
