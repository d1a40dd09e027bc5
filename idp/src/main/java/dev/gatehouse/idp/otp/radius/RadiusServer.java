package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.audit.AuditLog;
import dev.gatehouse.common.metric.MetricFamilies;
import dev.gatehouse.common.node.Node;
import dev.gatehouse.common.page.RefusalLog;
import dev.gatehouse.common.realm.Realms;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The node's listeners for clients of RADIUS; none unless configured. */
public final class RadiusServer implements AutoCloseable {

  /** The most requests that are worked on at the same time, over all listeners: each waits for stores, or computes a slow hash. */
  private static final int PLACES = 1024;

  private static final Duration STEP = Duration.ofSeconds(10);

  private final Node node;
  private final Realms realms;
  private final RadiusRequests requests;
  private final Duration step;
  private final List<RadiusListener> listeners = new ArrayList<>();

  /** Creates a server whose sockets are closed. */
  public RadiusServer(
      Node node, Realms realms, Passcodes passcodes, AuditLog audit, RefusalLog refusals, InstantSource time,
      Optional<MeterRegistry> meters, Optional<MetricFamilies> families) {
    this(node, realms, passcodes, audit, refusals, time, new RadiusMetrics(meters, families, node.gateway().labelValues()), STEP);
  }

  /** @param step how long a peer of RadSec may take for a handshake, the rest of a packet, or an answer */
  RadiusServer(
      Node node, Realms realms, Passcodes passcodes, AuditLog audit, RefusalLog refusals, InstantSource time, RadiusMetrics metrics,
      Duration step) {
    this.step = step;
    this.node = node;
    this.realms = realms;
    this.requests = new RadiusRequests(passcodes, audit, refusals, time, metrics, PLACES);
  }

  /** Opens all sockets; throws {@link IllegalStateException} with the address if one cannot be opened. */
  public void open() {
    for (Node.RadiusListener configured : node.listeners().radius()) {
      InetSocketAddress address = configured.listener().address();
      RealmClients clients = new RealmClients(realms, configured.realm());
      try {
        listeners.add(
            configured.isSecure()
                ? RadsecListener.open(address, RadsecTls.of(configured.listener()), clients, requests, step)
                : UdpListener.open(address, clients, requests));
      } catch (IOException e) {
        close();
        throw new IllegalStateException("RADIUS cannot listen at " + address + ": " + e.getMessage(), e);
      }
    }
  }

  /** The ports in the order of the configuration, those of RadSec last. */
  public List<Integer> ports() {
    return listeners.stream().map(RadiusListener::port).toList();
  }

  /** Returns whether all sockets are open. */
  public boolean isListening() {
    return listeners.size() == node.listeners().radius().size() && listeners.stream().allMatch(RadiusListener::isListening);
  }

  /** Takes no further packets, and waits until the present ones are answered, but no longer than that. */
  public void drain(Duration grace) {
    listeners.forEach(RadiusListener::stop);
    if (!listeners.isEmpty()) {
      requests.awaitEnd(grace.toMillis());
    }
  }

  @Override
  public void close() {
    listeners.forEach(RadiusListener::close);
    listeners.clear();
  }
}
