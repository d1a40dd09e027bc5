package dev.gatehouse.common.wait;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;

/** Makes sockets of TLS over watched sockets. It makes connected ones only: TLS is a layer over a connection. */
final class WatchedTls extends SocketFactory {

  private final WatchedSockets sockets;
  private final SSLSocketFactory tls;
  private final int connectMillis;

  WatchedTls(WatchedSockets sockets, SSLSocketFactory tls, int connectMillis) {
    this.sockets = sockets;
    this.tls = tls;
    this.connectMillis = connectMillis;
  }

  @Override
  public Socket createSocket() throws IOException {
    throw new IOException("TLS needs a connection");
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return connected(sockets.createSocket(), new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress localAddress, int localPort) throws IOException {
    return connected(sockets.bound(localAddress, localPort), new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return connected(sockets.createSocket(), new InetSocketAddress(host, port));
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress localAddress, int localPort) throws IOException {
    return connected(sockets.bound(localAddress, localPort), new InetSocketAddress(host, port));
  }

  private Socket connected(Socket socket, InetSocketAddress to) throws IOException {
    try {
      socket.connect(to, connectMillis);
      // The name that the address was found by, which is never asked for: the server may have several (RFC 6066, section 3).
      return tls.createSocket(socket, to.getHostString(), to.getPort(), true);
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }
}
