package dev.gatehouse.perf.all;

import dev.gatehouse.perf.gateway.HaproxyPeer;
import dev.gatehouse.perf.gateway.NginxPeer;
import dev.gatehouse.perf.modules.ApachePeer;
import dev.gatehouse.perf.report.Plan.Settings;
import dev.gatehouse.perf.server.KeycloakServer;
import java.util.List;

/** How peers are set up, for those who would have set them up otherwise: from the same text that starts them. */
final class PeerSettings {

  private PeerSettings() {}

  static List<Settings> all() {
    return List.of(
        new Settings(
            "Keycloak 26.7",
            "By its guide \"Configuring Keycloak for production\": an optimized build for PostgreSQL, local caches since it is one node, and a fixed heap"
                + " that is larger than it needs.",
            KeycloakServer.settings()),
        new Settings(
            "nginx",
            "By its guide \"Tuning NGINX for performance\": a worker for each core, sendfile, cached files, connections kept at both sides, a buffered"
                + " access log.",
            NginxPeer.settings()),
        new Settings(
            "HAProxy",
            "By its management guide: a thread for each core, connections to the app shared and kept without a limit, pages in its cache.",
            HaproxyPeer.settings()),
        new Settings(
            "Apache with mod_auth_mellon and mod_auth_openidc",
            "By Apache's \"Performance tuning\": mpm_event, a process for each core that is never ended, sendfile and mapped files, no .htaccess, a"
                + " buffered access log; sessions of both modules in shared memory, their default.",
            ApachePeer.settings()));
  }
}
