package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.SampleFamily;
import dev.gatehouse.common.metric.SampleFamily.Sums;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The metrics of apps' servers: connections, requests, retries, ejections and health. */
final class ServerMetrics {

  private final Upstreams upstreams;
  private final int most;

  /** @param most servers that have metrics of their own */
  ServerMetrics(Upstreams upstreams, int most) {
    this.upstreams = upstreams;
    this.most = most;
  }

  void publish(MetricFamilies metrics) {
    SampleFamily.builder("gatehouse.gateway.server.connections")
        .description("Connections to an app's server that are open or being opened")
        .tag("upstream")
        .gauge(() -> samples(server -> server.connections().get()))
        .register(metrics);
    SampleFamily.builder("gatehouse.gateway.server.requests.active")
        .description("Requests that an app's server works on")
        .tag("upstream")
        .gauge(() -> samples(AppServer::outstanding))
        .register(metrics);
    SampleFamily.builder("gatehouse.gateway.server.requests.waiting")
        .description("Requests that wait for a connection to an app's server")
        .tag("upstream")
        .gauge(() -> samples(server -> server.waiting().get()))
        .register(metrics);
    SampleFamily.builder("gatehouse.gateway.server.requests")
        .description("Requests that were sent to an app's server")
        .tag("upstream")
        .counter(() -> samples(AppServer::requests))
        .register(metrics);
    SampleFamily.builder("gatehouse.gateway.server.failures")
        .description("Requests that an app's server failed")
        .tag("upstream")
        .counter(() -> samples(AppServer::failures))
        .register(metrics);
    SampleFamily.builder("gatehouse.gateway.server.retries")
        .description("Requests that an app's server failed and that were tried once more")
        .tag("upstream")
        .counter(() -> samples(AppServer::retries))
        .register(metrics);
    SampleFamily.builder("gatehouse.gateway.server.ejections")
        .description("How often an app's server got no requests for a while because it failed some")
        .tag("upstream")
        .counter(() -> samples(AppServer::ejections))
        .register(metrics);
    SampleFamily.builder("gatehouse.gateway.server.up")
        .description("How many of these servers take requests: 1 or 0, more for other")
        .tag("upstream")
        .gauge(() -> samples(server -> server.state(System.nanoTime()) == AppServer.State.UP ? 1 : 0))
        .register(metrics);
  }

  private Map<List<String>, Double> samples(ToDoubleFunction<AppServer> of) {
    Sums sums = new Sums(most);
    upstreams.servers().stream()
        .sorted(Comparator.comparing(AppServer::id))
        .forEach(server -> sums.add(server.id(), of.applyAsDouble(server)));
    return sums.get();
  }
}
