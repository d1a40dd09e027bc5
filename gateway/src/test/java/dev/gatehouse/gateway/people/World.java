package dev.gatehouse.gateway.people;

import dev.gatehouse.common.FreePorts;
import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.key.PeopleCa;
import dev.gatehouse.gateway.demo.DemoCertificate;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.FirstKeys;
import dev.gatehouse.gateway.process.ForkFolder;
import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the journeys go through: a node configured by {@code src/test/resources/journey}, the sample app and one that
 * takes forms behind its gateway, the demo's people, and a partner site. Started once for all journeys; what it writes
 * stays in {@code target/fork-N/journey}.
 */
final class World implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final List<Integer> ports = FreePorts.take(6);
  private final DemoDirectory directory = DemoDirectory.start(0);
  private final SampleApp sample = SampleApp.start(0);
  private final FormSite forms = new FormSite();
  private final ArchiveSite archive = new ArchiveSite(idp(""));
  private final PeopleCa authority = PeopleCa.create("CN=People CA,O=Example", Instant.now());
  private final ServerProcess node;

  World() {
    Path home = emptied(ForkFolder.named("journey"));
    DemoCertificate.ensure(home.resolve("tls"), Instant.now(), new SecureRandom());
    write(home.resolve("people-ca.pem"), pem(authority.certificate()));
    Map<String, String> environment =
        Map.ofEntries(
            Map.entry("DATA", home.toString()),
            port("IDP_PORT", ports.get(0)),
            port("IDP_TLS_PORT", ports.get(1)),
            port("APP_PORT", ports.get(2)),
            port("APP_TLS_PORT", ports.get(3)),
            port("ADMIN_PORT", ports.get(4)),
            port("CARDS_PORT", ports.get(5)),
            port("DIRECTORY_PORT", directory.port()),
            port("SAMPLE_PORT", sample.port()),
            port("FORMS_PORT", forms.port()),
            port("ARCHIVE_PORT", archive.port()));
    Path configuration = Path.of("src/test/resources/journey");
    // Eighteen of RSA, whose primes the node would look for.
    FirstKeys.make(configuration, environment);
    node = BuiltNode.run(configuration, home, environment);
    awaitMetadata(bank(""), "bank", "guild", "market");
    awaitMetadata(idp(""), "demo", "market", "wiki");
    awaitMetadata(safeLogin(false, ""), "safe");
    awaitMetadata(metadata(app("")), "demo");
    awaitMetadata(metadata(market("")), "bank", "demo");
    awaitMetadata(metadata(wiki("")), "demo");
    awaitMetadata(metadata(guild("")), "bank");
    awaitMetadata(metadata(branch("")), "bank");
    awaitMetadata(metadata(safe("")), "safe");
  }

  /** Until its metadata is there, a partner cannot be chosen, nor sign people on. */
  private void awaitMetadata(String entityId, String... realms) {
    for (String realm : realms) {
      String known = "Metadata of " + entityId + " in realm " + realm + " taken over";
      node.await(() -> node.output().contains(known), PATIENCE);
    }
  }

  private static String metadata(String app) {
    return app + "/.gatehouse/saml/metadata";
  }

  private static Map.Entry<String, String> port(String name, int port) {
    return Map.entry(name, String.valueOf(port));
  }

  /** Below the identity provider's realm. */
  String idp(String path) {
    return "http://idp.localhost:" + ports.get(0) + "/realms/demo" + path;
  }

  String app(String path) {
    return "http://app.localhost:" + ports.get(2) + path;
  }

  /** The app's other origin: a certificate that nobody vouches for, and cookies of its own. */
  String secureApp(String path) {
    return "https://app.localhost:" + ports.get(3) + path;
  }

  /** The certificate of the origins with TLS. */
  X509Certificate certificate() {
    try {
      return Pem.certificates(Files.readAllBytes(ForkFolder.named("journey").resolve("tls/demo.crt"))).getFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A second service provider. */
  String wiki(String path) {
    return "http://wiki.localhost:" + ports.get(2) + path;
  }

  /** Below the other identity provider's realm: with a second step, certificates, and consent. */
  String bank(String path) {
    return "http://127.0.0.1:" + ports.get(0) + "/realms/bank" + path;
  }

  /** A service provider of the bank's that learns of nobody without consent. */
  String branch(String path) {
    return "http://branch.localhost:" + ports.get(2) + path;
  }

  /** A service provider with two identity providers to choose from. */
  String market(String path) {
    return "http://market.localhost:" + ports.get(2) + path;
  }

  /** A service provider with accounts of its own, which the bank's people connect. */
  String guild(String path) {
    return "http://guild.localhost:" + ports.get(2) + path;
  }

  /** Below the realm that offers passkeys. */
  String quick(String path) {
    return "http://idp.localhost:" + ports.get(0) + "/realms/quick" + path;
  }

  /** An app whose identity provider binds its sessions to devices. */
  String safe(String path) {
    return "http://safe.localhost:" + ports.get(2) + path;
  }

  /** Below the realm of that identity provider. */
  String safeLogin(boolean secure, String path) {
    return (secure ? "https" : "http") + "://login.localhost:" + ports.get(secure ? 1 : 0) + "/realms/safe" + path;
  }

  /** Where the bank asks browsers for a certificate. */
  String cards() {
    return "https://127.0.0.1:" + ports.get(5);
  }

  /** A certificate of the bank's authority. */
  PeopleCa.Issued certificateOf(String name) {
    return authority.issue(PeopleCa.CertificateSpec.of("CN=" + name + ",O=Example"));
  }

  ArchiveSite archive() {
    return archive;
  }

  FormSite forms() {
    return forms;
  }

  @Override
  public void close() {
    node.close();
    archive.close();
    forms.close();
    sample.close();
    directory.close();
  }

  private static String pem(X509Certificate certificate) {
    try {
      return PeopleCa.pem("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void write(Path file, String content) {
    try {
      Files.writeString(file, content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path emptied(Path folder) {
    try {
      if (Files.exists(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        }
      }
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
