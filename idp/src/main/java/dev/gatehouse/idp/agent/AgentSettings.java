package dev.gatehouse.idp.agent;

import dev.gatehouse.idp.agent.metrics.MetricsSettings;
import dev.gatehouse.idp.agent.offline.OfflineSettings;
import dev.gatehouse.idp.agent.radius.LocalRadiusSettings;
import dev.gatehouse.idp.agent.server.ServerSettings;
import dev.gatehouse.idp.agent.socket.PamSocketSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The configuration of an agent: {@code agent.yaml}.
 *
 * @param state the folder of what it keeps about the realm
 */
public record AgentSettings(
    ServerSettings servers, Optional<LocalRadiusSettings> radius, Optional<PamSocketSettings> socket,
    Optional<OfflineSettings> offline, Optional<MetricsSettings> metrics, Path state) {}
