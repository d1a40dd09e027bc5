package dev.gatehouse.idp.agent;

import dev.gatehouse.common.realm.yaml.Key;
import dev.gatehouse.common.realm.yaml.Reach;
import dev.gatehouse.common.realm.yaml.Section;
import dev.gatehouse.common.realm.yaml.Type;
import dev.gatehouse.common.realm.yaml.YamlSection;
import dev.gatehouse.idp.agent.metrics.MetricsSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;

/** Reads {@code metrics} of {@code agent.yaml}. */
final class MetricsYaml {

  static final Section METRICS = new Section();

  private static final Key<Path> SOCKET =
      METRICS.key("socket", Type.PATH, "e.g. /run/gatehouse-agent/metrics", "The Unix socket where they are read.");
  private static final Key<String> GROUP =
      METRICS.key("group", Type.NAME, "e.g. prometheus",
          "The group that may read at the socket; the agent's own user and root alone unless configured.");
  private static final Key<Integer> PORT =
      METRICS.key("port", Type.integer(0, 65_535), "e.g. 9469", "In place of a socket: the port on loopback, for every user of this host.");
  private static final Key<InetAddress> ADDRESS =
      METRICS.key("address", Type.ADDRESS.then("address of this host", AgentYaml::loopback).reaching(Reach.NAME_ONLY), "127.0.0.1",
          "The address of the port: loopback only.");

  private MetricsYaml() {}

  static Optional<MetricsSettings> settings(YamlSection section) {
    Optional<Path> path = SocketPaths.read(section, SOCKET);
    Optional<String> group = section.find(GROUP);
    Optional<Integer> port = section.find(PORT);
    if (path.isPresent() == port.isPresent()) {
      section.problem(SOCKET, path.isPresent() ? "stands beside port" : "is missing, and port too",
          "write one place: the socket, or a port on loopback");
      return Optional.empty();
    }
    if (group.isPresent() && path.isEmpty()) {
      section.problem(GROUP, "stands without socket", "a port has no group: write a socket, or leave it out");
    }
    return path.<MetricsSettings>map(where -> new MetricsSettings.Socket(where, group))
        .or(() -> port.map(number -> new MetricsSettings.Port(new InetSocketAddress(section.get(ADDRESS), number))));
  }
}
