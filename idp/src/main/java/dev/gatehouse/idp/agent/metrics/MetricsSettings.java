package dev.gatehouse.idp.agent.metrics;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/** Where figures are read: exactly one place. */
public sealed interface MetricsSettings {

  /**
   * A Unix socket.
   *
   * @param group whose members may read, too; otherwise only the agent's own user and root may
   */
  record Socket(Path path, Optional<String> group) implements MetricsSettings {}

  /** A port on loopback, which every user of this host may read. */
  record Port(InetSocketAddress address) implements MetricsSettings {}
}
