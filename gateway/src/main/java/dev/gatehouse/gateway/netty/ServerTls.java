package dev.gatehouse.gateway.netty;

import dev.gatehouse.common.realm.Node;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** TLS of all listeners, and who looks after their files. */
final class ServerTls {

  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final InstantSource time;
  private final RandomGenerator random;
  private final List<ListenerTls> listeners = new CopyOnWriteArrayList<>();
  private @Nullable Thread watch;

  ServerTls(InstantSource time, RandomGenerator random) {
    this.time = time;
    this.random = random;
  }

  /** TLS of that listener, where it has any. */
  Optional<ListenerTls> of(Node.Listener listener) {
    if (listener.certificates().isEmpty()) {
      return Optional.empty();
    }
    ListenerTls tls = new ListenerTls(listener, time, random);
    listeners.add(tls);
    return Optional.of(tls);
  }

  /** What is wrong with certificates that were changed. */
  List<String> problems() {
    return listeners.stream().flatMap(listener -> listener.problem().stream()).toList();
  }

  /** Looks now, as it does by itself every few seconds. */
  void poll() {
    listeners.forEach(ListenerTls::poll);
  }

  synchronized void start() {
    if (watch == null && !listeners.isEmpty()) {
      watch = Thread.ofVirtual().name("gateway-certificates").start(this::watch);
    }
  }

  synchronized void stop() {
    if (watch != null) {
      watch.interrupt();
      watch = null;
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
