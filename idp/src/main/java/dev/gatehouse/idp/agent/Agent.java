package dev.gatehouse.idp.agent;

import dev.gatehouse.idp.agent.metrics.MetricsListener;
import dev.gatehouse.idp.agent.metrics.MetricsText;
import dev.gatehouse.idp.agent.offline.OfflinePasscodes;
import dev.gatehouse.idp.agent.radius.LocalRadius;
import dev.gatehouse.idp.agent.server.Attempts;
import dev.gatehouse.idp.agent.server.Passcodes;
import dev.gatehouse.idp.agent.server.RealmEpoch;
import dev.gatehouse.idp.agent.server.RealmServers;
import dev.gatehouse.idp.agent.server.ServerTimes;
import dev.gatehouse.idp.agent.socket.PamSocket;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.random.RandomGenerator;

/** A running agent. */
public final class Agent implements AutoCloseable {

  private final AgentSettings settings;
  private final RealmEpoch epoch;
  private final RealmServers servers;
  private final InstantSource clock;
  private final RandomGenerator random;
  private Optional<OfflinePasscodes> offline = Optional.empty();
  private Optional<LocalRadius> radius = Optional.empty();
  private Optional<PamSocket> socket = Optional.empty();
  private Optional<MetricsListener> metrics = Optional.empty();
  private final Attempts attempts = new Attempts();

  /** @param epoch of the realm, which is closed with the agent */
  public Agent(AgentSettings settings, RealmEpoch epoch, InstantSource clock, RandomGenerator random) {
    this.settings = settings;
    this.epoch = epoch;
    this.clock = clock;
    this.random = random;
    this.servers = new RealmServers(settings.servers(), epoch, clock, random);
  }

  /** Probes the servers, and opens what programs of this host ask at; throws with the place that cannot be opened. */
  public void open() throws IOException {
    servers.start();
    if (settings.offline().isPresent()) {
      try {
        offline = Optional.of(
            OfflinePasscodes.open(
                settings.offline().get(), settings.servers().key().clientId(), servers, attempts, clock, random));
      } catch (IOException e) {
        throw new IOException("offline cannot be opened in " + settings.offline().get().folder() + ": " + e.getMessage(), e);
      }
    }
    Passcodes passcodes = offline.<Passcodes>map(days -> days).orElse(asked -> attempts.count(asked, servers.ask(asked)));
    if (settings.metrics().isPresent()) {
      try {
        MetricsText text = new MetricsText(attempts, () -> ServerTimes.of(servers), () -> offline.map(OfflinePasscodes::held));
        metrics = Optional.of(MetricsListener.open(settings.metrics().get(), text));
      } catch (IOException e) {
        throw new IOException("metrics cannot be opened at " + settings.metrics().get() + ": " + e.getMessage(), e);
      }
    }
    if (settings.radius().isPresent()) {
      try {
        radius = Optional.of(LocalRadius.open(settings.radius().get(), passcodes));
      } catch (IOException e) {
        throw new IOException("radius cannot listen at " + settings.radius().get().address() + ": " + e.getMessage(), e);
      }
    }
    if (settings.socket().isPresent()) {
      try {
        socket = Optional.of(PamSocket.open(settings.socket().get(), passcodes));
      } catch (IOException e) {
        throw new IOException("socket cannot be opened at " + settings.socket().get().path() + ": " + e.getMessage(), e);
      }
    }
  }

  /** The port of RADIUS. */
  public OptionalInt radiusPort() {
    return radius.map(open -> OptionalInt.of(open.port())).orElse(OptionalInt.empty());
  }

  /** The port of metrics, if they have one. */
  public OptionalInt metricsPort() {
    return metrics.map(MetricsListener::port).orElse(OptionalInt.empty());
  }

  /** The servers that it asks. */
  public RealmServers servers() {
    return servers;
  }

  @Override
  public void close() throws IOException {
    radius.ifPresent(LocalRadius::close);
    if (socket.isPresent()) {
      socket.get().close();
    }
    if (metrics.isPresent()) {
      metrics.get().close();
    }
    offline.ifPresent(OfflinePasscodes::close);
    servers.close();
    epoch.close();
  }
}
