package dev.gatehouse.gateway.journey;

import dev.gatehouse.gateway.demo.DemoCertificate;
import dev.gatehouse.gateway.demo.DemoDirectory;
import dev.gatehouse.gateway.demo.SampleApp;
import dev.gatehouse.gateway.process.BuiltNode;
import dev.gatehouse.gateway.process.FreePorts;
import dev.gatehouse.gateway.process.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What the journeys go through: a node configured by {@code src/test/resources/journey}, the sample app and one that
 * takes forms behind its gateway, the demo's people, and a partner site. Started once for all journeys; what it writes
 * stays in {@code target/journey}.
 */
final class World implements AutoCloseable {

  private final List<Integer> ports = FreePorts.take(5);
  private final DemoDirectory directory = DemoDirectory.start(0);
  private final SampleApp sample = SampleApp.start(0);
  private final FormSite forms = new FormSite();
  private final ArchiveSite archive = new ArchiveSite(idp(""));
  private final ServerProcess node;

  World() {
    Path home = emptied(Path.of("target/journey").toAbsolutePath());
    DemoCertificate.ensure(home.resolve("tls"), Instant.now(), new SecureRandom());
    Map<String, String> environment =
        Map.of(
            "DATA", home.toString(),
            "IDP_PORT", String.valueOf(ports.get(0)),
            "IDP_TLS_PORT", String.valueOf(ports.get(1)),
            "APP_PORT", String.valueOf(ports.get(2)),
            "APP_TLS_PORT", String.valueOf(ports.get(3)),
            "ADMIN_PORT", String.valueOf(ports.get(4)),
            "DIRECTORY_PORT", String.valueOf(directory.port()),
            "SAMPLE_PORT", String.valueOf(sample.port()),
            "FORMS_PORT", String.valueOf(forms.port()),
            "ARCHIVE_PORT", String.valueOf(archive.port()));
    node = BuiltNode.run(Path.of("src/test/resources/journey"), home, environment);
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

  /** A second service provider. */
  String wiki(String path) {
    return "http://wiki.localhost:" + ports.get(2) + path;
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
