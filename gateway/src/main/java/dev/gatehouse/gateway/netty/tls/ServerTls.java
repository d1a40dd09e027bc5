package dev.gatehouse.gateway.netty.tls;

import dev.gatehouse.common.node.Node;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The TLS of all listeners, and the thread that watches their files. */
public final class ServerTls {

  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final InstantSource time;
  private final RandomGenerator random;
  private final List<ListenerTls> listeners = new CopyOnWriteArrayList<>();
  private @Nullable Thread watcher;

  public ServerTls(InstantSource time, RandomGenerator random) {
    this.time = time;
    this.random = random;
  }

  /** The TLS of a listener; empty if it has none. */
  public Optional<ListenerTls> of(Node.Listener listener) {
    if (listener.certificates().isEmpty()) {
      return Optional.empty();
    }
    ListenerTls tls = new ListenerTls(listener, time, random);
    listeners.add(tls);
    return Optional.of(tls);
  }

  /** The problems of changed certificates. */
  public List<String> problems() {
    return listeners.stream().flatMap(listener -> listener.problem().stream()).toList();
  }

  /** Checks now whether certificates have changed; this also happens every few seconds. */
  public void poll() {
    listeners.forEach(ListenerTls::poll);
  }

  public synchronized void start() {
    if (watcher == null && !listeners.isEmpty()) {
      watcher = Thread.ofVirtual().name("gateway-certificates").start(this::watch);
    }
  }

  public synchronized void stop() {
    if (watcher != null) {
      watcher.interrupt();
      watcher = null;
    }
    listeners.clear();
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(PAUSE);
        poll();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
