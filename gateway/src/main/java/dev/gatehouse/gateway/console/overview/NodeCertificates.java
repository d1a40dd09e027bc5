package dev.gatehouse.gateway.console.overview;

import dev.gatehouse.common.crypto.Pem;
import dev.gatehouse.common.node.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The certificates of this node's own listeners, as far as they end soon. */
public final class NodeCertificates {

  private static final Duration SOON = Duration.ofDays(30);

  /** A certificate that ends soon, or has ended. */
  public record Ending(String file, Instant at, boolean ended) {}

  private final Node node;
  private final InstantSource time;

  public NodeCertificates(Node node, InstantSource time) {
    this.node = node;
    this.time = time;
  }

  /** Returns them, the first to end first. */
  public List<Ending> ending() {
    Instant now = time.instant();
    return Stream.of(
            node.listeners().idp().stream(), node.listeners().gateway().stream(), Stream.of(node.listeners().admin()),
            node.listeners().certificateLogin().stream(), node.listeners().clientCertificates().stream())
        .flatMap(listeners -> listeners)
        .flatMap(listener -> listener.certificates().stream())
        .map(Node.Tls::certificate)
        .distinct()
        .flatMap(file -> end(file).map(end -> new Ending(file.getFileName().toString(), end, !end.isAfter(now))).stream())
        .filter(one -> one.at().isBefore(now.plus(SOON)))
        .sorted(Comparator.comparing(Ending::at))
        .toList();
  }

  private static Optional<Instant> end(Path file) {
    try {
      return Pem.certificates(Files.readAllBytes(file)).stream().findFirst().map(found -> found.getNotAfter().toInstant());
    } catch (IOException | GeneralSecurityException e) {
      // Health and log report a certificate that cannot be read.
      return Optional.empty();
    }
  }
}
