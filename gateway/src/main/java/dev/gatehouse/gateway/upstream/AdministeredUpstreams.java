package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.realm.UpstreamConfig.Health;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The apps' servers for administrators. */
public final class AdministeredUpstreams implements AdminResource.AppServers {

  private final Upstreams upstreams;

  public AdministeredUpstreams(Upstreams upstreams) {
    this.upstreams = upstreams;
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
    return upstreams.drain(server, wanted);
  }
}
