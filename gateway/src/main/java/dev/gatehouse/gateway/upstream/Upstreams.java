package dev.gatehouse.gateway.upstream;

import dev.gatehouse.common.http.Origin;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.metric.StatusTimer;
import dev.gatehouse.common.metric.StatusTimers;
import dev.gatehouse.common.realm.UpstreamConfig;
import dev.gatehouse.common.realm.UpstreamConfig.Server;
import dev.gatehouse.gateway.upstream.AppServer.Key;
import dev.gatehouse.gateway.upstream.Upstream.Member;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * All servers of all apps. A new configuration is compiled into a {@link Draft}; servers that it still names retain
 * their state and their connections, and removed ones get no new requests.
 */
public final class Upstreams {

  private final UpstreamTimeouts defaults;
  private final AppTimers timers;
  private volatile Map<Key, AppServer> servers = Map.of();
  private final Set<String> draining = new HashSet<>();
  private final List<Watcher> watchers = new ArrayList<>();

  /** @param defaults the defaults for apps */
  public Upstreams(UpstreamTimeouts defaults, AppTimers timers) {
    this.defaults = defaults;
    this.timers = timers;
  }

  /** Returns the servers of a route table that is used for queries only. */
  public static Upstreams detached() {
    return new Upstreams(UpstreamTimeouts.USUAL, AppTimers.unread());
  }

  /**
   * Adds the metrics of servers.
   *
   * @param most servers that have metrics of their own
   */
  public void publish(MetricFamilies metrics, int most) {
    new ServerMetrics(this, most).publish(metrics);
  }

  /** The timer of requests without a route. */
  public StatusTimer unrouted() {
    return timers.routes().none();
  }

  public Draft draft() {
    return new Draft();
  }

  /** The servers that are configured now. */
  public List<AppServer> servers() {
    return List.copyOf(servers.values());
  }

  /** Registers a watcher of added and removed servers; it is called at once for the present ones. */
  public synchronized void watch(Watcher watcher) {
    watchers.add(watcher);
    servers.values().forEach(watcher::appeared);
  }

  public synchronized void unwatch(Watcher watcher) {
    watchers.remove(watcher);
  }

  /** Drains a server until the node ends, or ends the draining; returns false if no server has that name. */
  public synchronized boolean drain(String id, boolean wanted) {
    boolean known = false;
    for (AppServer server : servers.values()) {
      if (server.id().equals(id)) {
        known = true;
        server.drain(wanted, System.nanoTime());
      }
    }
    if (known && wanted) {
      draining.add(id);
    } else {
      draining.remove(id);
    }
    return known;
  }

  /** Drains exactly these servers, also those that are configured later. */
  public synchronized void drainOnly(Set<String> ids) {
    Set<String> ended = new HashSet<>(draining);
    ended.removeAll(ids);
    ended.forEach(id -> drain(id, false));
    ids.stream().filter(id -> !draining.contains(id)).forEach(id -> drain(id, true));
    draining.addAll(ids);
  }

  private synchronized void swap(Map<Key, AppServer> next) {
    Map<Key, AppServer> before = servers;
    for (AppServer server : next.values()) {
      if (draining.contains(server.id())) {
        server.drain(true, System.nanoTime());
      }
    }
    servers = Map.copyOf(next);
    next.forEach(
        (key, server) -> {
          if (!before.containsKey(key)) {
            watchers.forEach(watcher -> watcher.appeared(server));
          }
        });
    before.forEach(
        (key, server) -> {
          if (!next.containsKey(key)) {
            server.retire();
            watchers.forEach(watcher -> watcher.retired(server));
          }
        });
  }

  /** Is notified of added and removed servers, on the thread that changes the configuration. */
  public interface Watcher {

    void appeared(AppServer server);

    /** The configuration no longer names the server; requests may still be active on it. */
    void retired(AppServer server);
  }

  /** A configuration that is being compiled. */
  public final class Draft {

    private final Map<Key, AppServer> drafted = new HashMap<>();
    private final Map<UpstreamConfig, Upstream> apps = new HashMap<>();
    private final StatusTimers.Draft routeTimers = timers.routes().draft();
    private final StatusTimers.Draft serverTimers = timers.servers().draft();

    /** The app of that configuration. */
    public Upstream add(UpstreamConfig config) {
      return apps.computeIfAbsent(config, this::compile);
    }

    /** The timer of a route to an app. */
    public StatusTimer timer(String realm, String route, Upstream app) {
      return routeTimers.of(realm, route, app.label());
    }

    private Upstream compile(UpstreamConfig config) {
      List<Member> members = new ArrayList<>();
      for (Server server : config.servers()) {
        Origin origin = Origin.of(server.url());
        Key key = new Key(origin, config.tls(), config.health());
        AppServer known = drafted.computeIfAbsent(key, this::find);
        known.time(serverTimers.of(known.id()));
        byte[] label = known.id().getBytes(StandardCharsets.US_ASCII);
        members.add(
            new Member(
                known, members.size(), Upstream.basePath(server.url()), server.weight(), server.backup(),
                RendezvousHash.hash(origin.toString()), label));
      }
      return new Upstream(config, defaults.with(config.times(), config.connections()), members);
    }

    private AppServer find(Key key) {
      AppServer known = servers.get(key);
      return known != null ? known : new AppServer(key);
    }

    /** Makes this the current configuration. */
    public void commit() {
      routeTimers.commit();
      serverTimers.commit();
      swap(drafted);
    }
  }
}
