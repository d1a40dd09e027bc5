package dev.gatehouse.gateway.netty.upstream;

import dev.gatehouse.gateway.upstream.AppServer;
import dev.gatehouse.gateway.upstream.Upstreams;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reacts when a server of an app is added or removed: health checks, TLS, the end of its connections. */
public final class ServerWatch implements Upstreams.Watcher {

  private static final Logger LOG = LoggerFactory.getLogger(ServerWatch.class);

  private final Upstreams upstreams;
  private final UpstreamTls tls;
  private final RandomGenerator random;
  private List<UpstreamPools> loops = List.of();
  private int turn;

  public ServerWatch(Upstreams upstreams, UpstreamTls tls, RandomGenerator random) {
    this.upstreams = upstreams;
    this.tls = tls;
    this.random = random;
  }

  public void start(List<UpstreamPools> started) {
    loops = started;
    upstreams.watch(this);
  }

  public void stop() {
    upstreams.unwatch(this);
  }

  @Override
  public void appeared(AppServer server) {
    if (server.origin().isSecure()) {
      prepareTls(server);
    }
    UpstreamPools pools = loops.get(turn++ % loops.size());
    server.health().ifPresent(rule -> new HealthCheck(pools, server, rule, random).start());
  }

  /** Builds the TLS context here because it takes a while, and not on the event loop that first needs it. */
  private void prepareTls(AppServer server) {
    try {
      tls.context(server.tls());
    } catch (RuntimeException e) {
      LOG.error("The TLS handshake with the app at {} failed", server.origin(), e);
    }
  }

  @Override
  public void retired(AppServer server) {
    tls.retain(upstreams.servers().stream().map(AppServer::tls).collect(Collectors.toSet()));
    for (UpstreamPools pools : loops) {
      try {
        pools.loop().executor().execute(() -> pools.retire(server));
      } catch (RejectedExecutionException e) {
        return; // the node stops
      }
    }
  }
}
