package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.realm.UpstreamConfig.Health;
import dev.gatehouse.common.postgres.SharedSwitches;
import dev.gatehouse.common.postgres.SharedSwitches.Kind;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The apps' servers for administrators. */
public final class AdministeredUpstreams implements AdminResource.AppServers {

  private final Upstreams upstreams;
  private final Optional<SharedSwitches> shared;

  /** @param shared the switches of all nodes, if there are several: a server is drained for all of them, and stays so over a restart */
  public AdministeredUpstreams(Upstreams upstreams, Optional<SharedSwitches> shared) {
    this.upstreams = upstreams;
    this.shared = shared;
    shared.ifPresent(switches -> switches.listen(Kind.DRAIN, settings -> upstreams.drainOnly(settings.keySet())));
  }

  @Override
  public List<AdminResource.UpstreamView> all() {
    long now = System.nanoTime();
    return upstreams.servers().stream()
        .sorted(Comparator.comparing(AppServer::id))
        .map(
            server ->
                new AdminResource.UpstreamView(
                    server.id(),
                    server.origin().toString(),
                    server.state(now).name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    server.outstanding(),
                    server.requests(),
                    server.failures(),
                    server.health().map(Health::path)))
        .toList();
  }

  @Override
  public boolean drain(String server, boolean wanted) {
    if (shared.isEmpty()) {
      return upstreams.drain(server, wanted);
    }
    boolean known = upstreams.servers().stream().anyMatch(one -> one.id().equals(server));
    if (known || !wanted) {
      shared.get().set(Kind.DRAIN, server, wanted ? Optional.of("on") : Optional.empty());
    }
    return known;
  }
}
