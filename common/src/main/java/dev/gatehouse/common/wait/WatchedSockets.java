package dev.gatehouse.common.wait;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;

/**
 * Makes sockets whose reads end after SO_TIMEOUT without a timer for each read. A read that has waited for too long ends up to a tenth of a
 * second later than it would otherwise, and its socket is closed then: an answer that comes later is nobody's.
 */
public final class WatchedSockets extends SocketFactory {

  private final WaitWatch watch = new WaitWatch();

  /** Returns what makes sockets of TLS over sockets of these. */
  public SocketFactory over(SSLSocketFactory tls, int connectMillis) {
    return new WatchedTls(this, tls, connectMillis);
  }

  @Override
  public Socket createSocket() {
    return new WatchedSocket(watch);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(createSocket(), new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localAddress, int localPort) throws IOException {
    return connected(bound(localAddress, localPort), new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(createSocket(), new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localAddress, int localPort) throws IOException {
    return connected(bound(localAddress, localPort), new InetSocketAddress(host, port));
  }

  Socket bound(InetAddress address, int port) throws IOException {
    Socket socket = createSocket();
    try {
      socket.bind(new InetSocketAddress(address, port));
      return socket;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static Socket connected(Socket socket, SocketAddress to) throws IOException {
    try {
      socket.connect(to);
      return socket;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /** Returns how many sockets are connected and not closed; for tests. */
  int open() {
    return watch.places();
  }
}
