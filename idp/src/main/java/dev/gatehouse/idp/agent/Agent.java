package dev.gatehouse.idp.agent;

import dev.gatehouse.idp.agent.offline.OfflinePasscodes;
import dev.gatehouse.idp.agent.radius.LocalRadius;
import dev.gatehouse.idp.agent.server.Passcodes;
import dev.gatehouse.idp.agent.server.RealmEpoch;
import dev.gatehouse.idp.agent.server.RealmServers;
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
        offline = Optional.of(OfflinePasscodes.open(settings.offline().get(), settings.servers().key().clientId(), servers, clock, random));
      } catch (IOException e) {
        throw new IOException("offline cannot be opened in " + settings.offline().get().folder() + ": " + e.getMessage(), e);
      }
    }
    Passcodes passcodes = offline.<Passcodes>map(days -> days).orElse(servers);
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
    offline.ifPresent(OfflinePasscodes::close);
    servers.close();
    epoch.close();
  }
}
