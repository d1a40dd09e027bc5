package dev.gatehouse.gateway.interop;

import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.interop.NodeSaml.Site;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.FreePorts;
import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A club: our node is its identity provider and stands in front of its intranet; a forum and a vault run node-saml. Configured
 * by {@code src/test/resources/peers}; what the servers write is in {@code target/peers}.
 */
final class Club implements AutoCloseable {

  private static final String TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
  private static final String PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";
  private static final Pattern CERTIFICATE = Pattern.compile("<ds:X509Certificate>([^<]+)</ds:X509Certificate>");
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final List<Integer> ports = FreePorts.take(3);
  private final List<AutoCloseable> started = new ArrayList<>();

  private Club() {}

  /** @param data where the node keeps what it keeps */
  static Club start(Path data) throws Exception {
    NodeSaml.requireInstalled();
    Club club = new Club();
    try {
      club.startServers(data);
      return club;
    } catch (Exception | Error e) {
      club.close();
      throw e;
    }
  }

  private void startServers(Path data) throws IOException, InterruptedException {
    DemoDirectory directory = begun(DemoDirectory.start(0));
    SampleApp sample = begun(SampleApp.start(0));
    Map<String, String> environment =
        Map.of(
            "DATA", data.toString(),
            "PORT", String.valueOf(ports.get(0)),
            "ADMIN_PORT", String.valueOf(ports.get(1)),
            "NODE_PORT", String.valueOf(ports.get(2)),
            "DIRECTORY_PORT", String.valueOf(directory.port()),
            "SAMPLE_PORT", String.valueOf(sample.port()));
    Path logs = Files.createDirectories(Path.of("target/peers"));
    ServerProcess node = begun(BuiltNode.run(Path.of("src/test/resources/peers"), logs, environment));
    Site forum = new Site("127.0.0.13", "Forum", false, Map.of("identifierFormat", TRANSIENT));
    Site vault =
        new Site(
            "127.0.0.14",
            "Vault",
            true,
            Map.of("identifierFormat", PERSISTENT, "authnRequestBinding", "HTTP-POST", "allowCreate", true));
    begun(NodeSaml.start(logs, ports.get(2), idp(""), certificates(), List.of(forum, vault)));
    for (String partner : List.of(forum(""), vault(""))) {
      String known = "Metadata of " + partner + "/metadata in realm club taken over";
      node.await(() -> node.output().contains(known), PATIENCE);
    }
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

  private List<String> certificates() throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest get = HttpRequest.newBuilder(URI.create(idp("/saml/metadata"))).timeout(PATIENCE).build();
      String metadata = client.send(get, BodyHandlers.ofString()).body();
      return CERTIFICATE.matcher(metadata).results().map(MatchResult::group).map(found -> found.replaceAll("<[^>]*>", "")).toList();
    }
  }

  private <T extends AutoCloseable> T begun(T server) {
    started.add(server);
    return server;
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable server : started.reversed()) {
      server.close();
    }
  }
}
