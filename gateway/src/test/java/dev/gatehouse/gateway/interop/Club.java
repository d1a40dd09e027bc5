package dev.gatehouse.gateway.interop;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.key.KeyUse;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.interop.NodeSaml.Site;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.FirstKeys;
import dev.gatehouse.gateway.process.ServerProcess;
import dev.gatehouse.gateway.process.Servers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A club: our node is its identity provider and stands in front of its intranet. A forum and a vault run node-saml; a town and a
 * city run Keycloak. Configured by {@code src/test/resources/peers}; what the servers write is in {@code target/peers}, in a folder
 * for each.
 */
final class Club implements AutoCloseable {

  private static final Path CONFIGURATION = Path.of("src/test/resources/peers");
  private static final String TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
  private static final String PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";
  private static final Pattern CERTIFICATE = Pattern.compile("<ds:X509Certificate>([^<]+)</ds:X509Certificate>");
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final List<Integer> ports = FreePorts.take(4);
  private final Servers servers = new Servers();
  private final Path logs;
  private Optional<ServerProcess> node = Optional.empty();
  private Optional<Keycloak> keycloak = Optional.empty();

  private Club(String peer) throws IOException {
    logs = Files.createDirectories(Path.of("target/peers").resolve(peer));
  }

  /** With the forum and the vault. @param data where the node keeps what it keeps */
  static Club withNodeSaml(Path data) throws Exception {
    NodePackage.requireNode();
    Club club = new Club("node-saml");
    club.servers.all(
        () -> {
          club.startNode(club.environment(data));
          club.startSites();
        });
    return club;
  }

  /** With Keycloak, whose realm {@code city} has people of its own, and whose realm {@code town} takes ours. */
  static Club withKeycloak(Path data) throws Exception {
    Club club = new Club("keycloak");
    club.servers.all(
        () -> {
          Map<String, String> environment = club.environment(data);
          club.startKeycloak(environment);
          club.startNode(environment);
          club.awaitKeycloak();
        });
    return club;
  }

  /** Starts the directory and the application, and returns the environment of a node that uses them. */
  private Map<String, String> environment(Path data) throws IOException {
    DemoDirectory directory = servers.begun(DemoDirectory.start(0));
    SampleApp sample = servers.begun(SampleApp.start(0));
    return Map.of(
        "DATA", data.toString(),
        "PORT", String.valueOf(ports.get(0)),
        "ADMIN_PORT", String.valueOf(ports.get(1)),
        "NODE_PORT", String.valueOf(ports.get(2)),
        "KEYCLOAK_PORT", String.valueOf(ports.get(3)),
        "DIRECTORY_PORT", String.valueOf(directory.port()),
        "SAMPLE_PORT", String.valueOf(sample.port()));
  }

  private void startNode(Map<String, String> environment) {
    node = Optional.of(servers.begun(BuiltNode.run(CONFIGURATION, logs, environment)));
  }

  private void startSites() throws IOException, InterruptedException {
    Site forum = new Site("127.0.0.13", "Forum", false, Map.of("identifierFormat", TRANSIENT));
    Site vault =
        new Site(
            "127.0.0.14",
            "Vault",
            true,
            Map.of("identifierFormat", PERSISTENT, "authnRequestBinding", "HTTP-POST", "allowCreate", true));
    servers.begun(NodeSaml.start(logs, ports.get(2), idp(""), certificates(idp("/saml/metadata")), List.of(forum, vault)));
    knows(forum("/metadata"), "club");
    knows(vault("/metadata"), "club");
  }

  /**
   * Needs certificates of our node, which starts later: it would wait for Keycloak, which takes a minute or more, and ask ever less often.
   */
  private void startKeycloak(Map<String, String> environment) throws IOException, InterruptedException {
    FirstKeys keys = FirstKeys.make(CONFIGURATION, environment);
    List<Keycloak.Client> clients =
        List.of(
            new Keycloak.Client(guests(""), ofServiceProvider(keys, "guests"), true),
            new Keycloak.Client(errands(""), ofServiceProvider(keys, "errands"), false));
    Keycloak.Broker broker = new Keycloak.Broker(idp(""), keys.certificate("club", KeyUse.IDP_SIGNING));
    keycloak = Optional.of(servers.begun(Keycloak.start(logs, ports.get(3), clients, tokens(""), broker)));
  }

  private static List<String> ofServiceProvider(FirstKeys keys, String realm) {
    return List.of(keys.certificate(realm, KeyUse.SP_SIGNING), keys.certificate(realm, KeyUse.SP_ENCRYPTION));
  }

  private void awaitKeycloak() {
    knows(keycloak("/realms/city"), "guests");
    knows(keycloak("/realms/city"), "errands");
    knows(keycloak("/realms/town"), "club");
    knows(keycloak("/realms/town/sealed"), "club");
    String known = "OpenID provider " + keycloak("/realms/city") + " is now available";
    node.orElseThrow().await(() -> log().contains(known), PATIENCE);
  }

  /** Waits until the node has the partner's metadata. */
  private void knows(String partner, String realm) {
    ServerProcess process = node.orElseThrow();
    String known = "Metadata of " + partner + " in realm " + realm + " taken over";
    process.await(() -> process.output().contains(known), PATIENCE);
  }

  Keycloak keycloak() {
    return keycloak.orElseThrow();
  }

  /** What our node has logged so far. */
  String log() {
    return node.orElseThrow().output();
  }

  String keycloak(String path) {
    return "http://127.0.0.1:" + ports.get(3) + path;
  }

  /** Behind our gateway, for people of Keycloak's, whose assertions are encrypted. */
  String guests(String path) {
    return "http://127.0.0.18:" + ports.get(0) + path;
  }

  /** Behind our gateway, for people of Keycloak's, who come by artifact. */
  String errands(String path) {
    return "http://127.0.0.19:" + ports.get(0) + path;
  }

  /** Behind our gateway, for people of Keycloak's, who come by OpenID Connect, and for programs with its access tokens. */
  String tokens(String path) {
    return "http://127.0.0.20:" + ports.get(0) + path;
  }

  /** Below the realm of our identity provider. */
  String idp(String path) {
    return "http://127.0.0.12:" + ports.get(0) + "/realms/club" + path;
  }

  /** Behind our gateway. */
  String intranet(String path) {
    return "http://127.0.0.16:" + ports.get(0) + path;
  }

  /** Sends signed AuthnRequests by Redirect and wants transient NameIDs. */
  String forum(String path) {
    return "http://127.0.0.13:" + ports.get(2) + path;
  }

  /** Sends signed AuthnRequests by POST, wants persistent NameIDs, and gets encrypted assertions. */
  String vault(String path) {
    return "http://127.0.0.14:" + ports.get(2) + path;
  }

  /** Base64, in the order of the document: for signing first, then for encryption. */
  private static List<String> certificates(String metadata) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest get = HttpRequest.newBuilder(URI.create(metadata)).timeout(PATIENCE).build();
      String document = client.send(get, BodyHandlers.ofString()).body();
      return CERTIFICATE.matcher(document).results().map(found -> found.group(1)).toList();
    }
  }

  @Override
  public void close() throws Exception {
    servers.close();
  }
}
