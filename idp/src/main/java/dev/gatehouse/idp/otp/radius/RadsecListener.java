package dev.gatehouse.idp.otp.radius;

import dev.gatehouse.common.throttle.LogThrottle;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** RADIUS over TLS (RFC 6614): connections of clients with certificates, so many in all and so many of one address. */
final class RadsecListener implements RadiusListener {

  private static final Logger LOG = LoggerFactory.getLogger(RadsecListener.class);
  private static final int MOST_CONNECTIONS = 512;
  private static final int MOST_OF_ONE_ADDRESS = 32;
  private static final int BACKLOG = 128;
  private static final long LOOK_MILLIS = 500;
  private static final long PAUSE_AFTER_FAULT_MILLIS = 100;

  private final ServerSocket server;
  private final RadsecTls tls;
  private final RealmClients clients;
  private final RadiusRequests requests;
  private final Duration step;
  private final Semaphore free = new Semaphore(MOST_CONNECTIONS);
  private final Map<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();
  private final Set<RadsecConnection> connections = ConcurrentHashMap.newKeySet();
  private final LogThrottle faults = new LogThrottle();
  private volatile boolean stopped;

  private RadsecListener(ServerSocket server, RadsecTls tls, RealmClients clients, RadiusRequests requests, Duration step) {
    this.step = step;
    this.server = server;
    this.tls = tls;
    this.clients = clients;
    this.requests = requests;
  }

  static RadsecListener open(
      InetSocketAddress address, RadsecTls tls, RealmClients clients, RadiusRequests requests, Duration step) throws IOException {
    ServerSocket server = new ServerSocket();
    try {
      server.setReuseAddress(true);
      server.bind(address, BACKLOG);
    } catch (IOException | RuntimeException e) {
      server.close();
      throw e;
    }
    RadsecListener listener = new RadsecListener(server, tls, clients, requests, step);
    Thread.ofPlatform().name("radsec-" + server.getLocalPort()).daemon().start(listener::accept);
    Thread.ofVirtual().name("radsec-watch").start(listener::watch);
    return listener;
  }

  @Override
  public int port() {
    return server.getLocalPort();
  }

  @Override
  public boolean isListening() {
    return !server.isClosed();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        if (!admit(socket)) {
          requests.refuse(Dropped.OVERLOADED, clients.realm(), "-", socket.getInetAddress());
          socket.close();
        }
      } catch (IOException | RuntimeException e) {
        if (!server.isClosed()) {
          faults.count().ifPresent(times -> LOG.warn("A RadSec connection could not be accepted ({} times since the start)", times, e));
          pause(PAUSE_AFTER_FAULT_MILLIS);
        }
      }
    }
  }

  private boolean admit(Socket socket) {
    InetAddress address = socket.getInetAddress();
    if (!free.tryAcquire()) {
      return false;
    }
    if (byAddress.merge(address, 1, Integer::sum) > MOST_OF_ONE_ADDRESS) {
      release(address);
      return false;
    }
    RadsecConnection connection = new RadsecConnection(socket, tls, clients, requests, step);
    connections.add(connection);
    Thread.startVirtualThread(
        () -> {
          try {
            connection.serve();
          } finally {
            connections.remove(connection);
            release(address);
          }
        });
    return true;
  }

  private void release(InetAddress address) {
    byAddress.computeIfPresent(address, (a, count) -> count == 1 ? null : count - 1);
    free.release();
  }

  /** Closes connections whose peer is too slow: neither a blocked write nor a slow handshake ends by itself. */
  private void watch() {
    while (!server.isClosed() || !connections.isEmpty()) {
      long now = System.nanoTime();
      connections.forEach(connection -> connection.closeIfLate(now));
      if (!pause(LOOK_MILLIS)) {
        return;
      }
    }
  }

  private static boolean pause(long millis) {
    try {
      Thread.sleep(millis);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void stop() {
    stopped = true;
    try {
      server.close();
    } catch (IOException e) {
      LOG.debug("The socket of RadSec did not close", e);
    }
    connections.forEach(RadsecConnection::readNoMore);
  }

  @Override
  public void close() {
    if (!stopped) {
      stop();
    }
    connections.forEach(RadsecConnection::close);
  }
}
