package dev.gatehouse.perf.sso;

import dev.gatehouse.perf.data.People;
import dev.gatehouse.perf.load.Answer;
import dev.gatehouse.perf.load.Browser;
import dev.gatehouse.perf.server.FreePorts;
import dev.gatehouse.perf.server.GatehouseNode;
import dev.gatehouse.perf.server.ServerProcess;
import dev.gatehouse.perf.server.SlapdServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The Gatehouse idp: a separate node with durable embedded storage and people in slapd. It signs the Assertion, so
 * there is one signature per Response.
 */
final class GatehouseIdp implements SignOnServer {

  private static final String REALM = "bench";

  private final String name;
  private final String url;
  private final GatehouseNode node;
  private final SlapdServer slapd;
  private final long started = System.nanoTime();

  private GatehouseIdp(String name, String url, GatehouseNode node, SlapdServer slapd) {
    this.name = name;
    this.url = url;
    this.node = node;
    this.slapd = slapd;
  }

  /** @param key the realm's {@code keys.algorithm} */
  static GatehouseIdp start(Path directory, String key, SlapdServer slapd) throws IOException {
    int port = FreePorts.take();
    String url = "http://127.0.0.1:" + port;
    String nodeName = "gatehouse-" + key + "-" + port;
    Path metadata = Files.createDirectories(directory.resolve(nodeName)).resolve("sp.xml");
    Files.writeString(metadata, FreshRequests.metadata());
    String realm =
        """
        keys: {algorithm: %s}
        idp:
          publicUrl: %s
          directLogin: true
        directory:
          urls: [ldap://127.0.0.1:%d]
          base: ou=people,dc=example,dc=com
          filter: (uid={name})
          attributes: {uid: uid, mail: mail}
        partners:
          - entityId: %s
            metadata: {file: %s}
            release: {uid: uid, mail: mail}
        """
            .formatted(key, url, slapd.port(), FreshRequests.SP, metadata);
    GatehouseNode node =
        GatehouseNode.configure(
                nodeName, directory, "[idp]", "idp: [{address: 127.0.0.1, port: " + port + "}]", Map.of(REALM, realm))
            .start();
    return new GatehouseIdp("Gatehouse, " + key, url, node, slapd);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public long startedNanos() {
    return started;
  }

  @Override
  public void await() throws IOException, InterruptedException {
    node.await();
  }

  @Override
  public FreshRequests requests() {
    String path = "/realms/" + REALM + "/saml/sso";
    return new FreshRequests(url + path, path);
  }

  @Override
  public Browser login() throws IOException {
    Browser browser = new Browser(URI.create(url));
    String form = "username=" + People.name(1) + "&password=" + People.password(1);
    Answer answer = browser.post("/realms/" + REALM + "/login/direct", form, "");
    if (answer.status() != 200) {
      throw new IOException("login at " + name + " failed: " + answer);
    }
    return browser;
  }

  @Override
  public List<ServerProcess> processes() {
    return List.of(node.process(), slapd.process());
  }

  @Override
  public void close() {
    node.close();
  }
}
