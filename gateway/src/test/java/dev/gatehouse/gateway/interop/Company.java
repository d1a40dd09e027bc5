package dev.gatehouse.gateway.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.directory.Slapd;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.interop.Apache.Host;
import dev.gatehouse.gateway.process.BuiltNode;
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

/**
 * A company of 10,000 people: their directory is OpenLDAP, our node is their identity provider and stands in front of
 * an intranet, and four partners run mod_auth_mellon, one for each NameID format and one by the back channel. Configured
 * by {@code src/test/resources/interop}; what the servers write is in {@code target/interop}.
 */
final class Company implements AutoCloseable {

  private static final String TRANSIENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
  private static final String PERSISTENT = "urn:oasis:names:tc:SAML:2.0:nameid-format:persistent";
  private static final String EMAIL = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final List<Integer> ports = FreePorts.take(3);
  private final Servers servers = new Servers();
  private Optional<ServerProcess> node = Optional.empty();

  private Company() {}

  /** @param data where the node keeps what it keeps */
  static Company start(Path data) throws Exception {
    Apache.requireInstalled();
    Slapd.requireInstalled();
    Company company = new Company();
    company.servers.all(() -> company.startServers(data));
    return company;
  }

  private void startServers(Path data) throws IOException, InterruptedException {
    Slapd directory = servers.begun(Slapd.start(ManyPeople.writeTo(data.resolve("people.ldif"))));
    SampleApp sample = servers.begun(SampleApp.start(0));
    Map<String, String> environment =
        Map.of(
            "DATA", data.resolve("node").toString(),
            "PORT", String.valueOf(ports.get(0)),
            "ADMIN_PORT", String.valueOf(ports.get(1)),
            "APACHE_PORT", String.valueOf(ports.get(2)),
            "DIRECTORY_PORT", String.valueOf(directory.port()),
            "SAMPLE_PORT", String.valueOf(sample.port()));
    Path logs = Files.createDirectories(Path.of("target/interop"));
    ServerProcess running =
        servers.begun(BuiltNode.run(Path.of("src/test/resources/interop"), logs, environment));
    node = Optional.of(running);
    String ours = metadata();
    Host library = new Host("127.0.0.3", TRANSIENT, "uid", ours, false);
    Host shop = new Host("127.0.0.4", PERSISTENT, "uid", withoutRedirect(ours), false);
    Host newsletter = new Host("127.0.0.5", EMAIL, "NAME_ID", ours, false);
    Host vault = new Host("127.0.0.7", TRANSIENT, "uid", ours, true);
    servers.begun(Apache.start(logs, ports.get(2), List.of(library, shop, newsletter, vault)));
    for (String partner : List.of(library(""), shop(""), newsletter(""), vault(""))) {
      String known = "Metadata of " + partner + "/mellon/metadata in realm company taken over";
      running.await(() -> running.output().contains(known), PATIENCE);
    }
  }

  /** What our node has logged so far. */
  String log() {
    return node.orElseThrow().output();
  }

  /** Below the realm of our identity provider. */
  String idp(String path) {
    return "http://127.0.0.2:" + ports.get(0) + "/realms/company" + path;
  }

  /** Behind our gateway. */
  String intranet(String path) {
    return "http://127.0.0.6:" + ports.get(0) + path;
  }

  /** Wants transient NameIDs, and the attributes uid, mail and groups. */
  String library(String path) {
    return "http://127.0.0.3:" + ports.get(2) + path;
  }

  /** Wants persistent NameIDs, and sends its AuthnRequests by POST. */
  String shop(String path) {
    return "http://127.0.0.4:" + ports.get(2) + path;
  }

  /** Wants the e-mail address as NameID. */
  String newsletter(String path) {
    return "http://127.0.0.5:" + ports.get(2) + path;
  }

  /** Gets artifacts, and is told of a logout by SOAP. */
  String vault(String path) {
    return "http://127.0.0.7:" + ports.get(2) + path;
  }

  /** Ours, as any partner would fetch it. */
  private String metadata() throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI location = URI.create(idp("/saml/metadata"));
      HttpRequest get = HttpRequest.newBuilder(location).timeout(PATIENCE).build();
      return client.send(get, BodyHandlers.ofString()).body();
    }
  }

  /** Leaves mellon, which prefers Redirect, no choice but POST. */
  private static String withoutRedirect(String metadata) {
    String reduced =
        metadata.replaceAll(
            "<(\\w+:)?SingleSignOnService [^>]*HTTP-Redirect[^>]*>(</(\\w+:)?SingleSignOnService>)?", "");
    assertThat(reduced).isNotEqualTo(metadata).contains("SingleSignOnService");
    return reduced;
  }

  @Override
  public void close() throws Exception {
    servers.close();
  }
}
