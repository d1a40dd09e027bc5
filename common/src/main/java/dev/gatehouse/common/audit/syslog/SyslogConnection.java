package dev.gatehouse.common.audit.syslog;

import dev.gatehouse.common.http.TlsPolicy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** A TLS connection to a receiver. */
final class SyslogConnection implements AutoCloseable {

  private static final int CONNECT_MILLIS = 10_000;
  private static final int HANDSHAKE_MILLIS = 10_000;
  private static final int CLOSE_MILLIS = 3_000;

  private final SSLSocket socket;

  private SyslogConnection(SSLSocket socket) {
    this.socket = socket;
  }

  static SyslogConnection open(String host, int port, SSLContext trust) throws IOException {
    Socket plain = new Socket();
    try {
      plain.connect(new InetSocketAddress(host, port), CONNECT_MILLIS);
      plain.setKeepAlive(true);
      plain.setSoTimeout(HANDSHAKE_MILLIS);
      SSLSocket socket = (SSLSocket) trust.getSocketFactory().createSocket(plain, host, port, true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      parameters.setProtocols(TlsPolicy.PROTOCOLS.toArray(String[]::new));
      parameters.setCipherSuites(TlsPolicy.CIPHER_SUITES.toArray(String[]::new));
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return new SyslogConnection(socket);
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  void send(byte[] messages) throws IOException {
    socket.getOutputStream().write(messages);
    socket.getOutputStream().flush();
  }

  /** Waits for that time; throws if the receiver closes the connection meanwhile. Receivers send nothing. */
  void idle(Duration time) throws IOException {
    socket.setSoTimeout((int) Math.max(1, time.toMillis()));
    try {
      if (socket.getInputStream().read() < 0) {
        throw new IOException("the receiver closed the connection");
      }
    } catch (SocketTimeoutException e) {
      // Nothing came, as it has to be.
    }
  }

  /** Ends the connection; returns whether the receiver confirmed that it had read everything, by ending it too. */
  boolean end() {
    try {
      socket.setSoTimeout(CLOSE_MILLIS);
      socket.shutdownOutput();
      while (true) {
        if (socket.getInputStream().read() < 0) {
          return true;
        }
      }
    } catch (IOException e) {
      return false;
    } finally {
      close();
    }
  }

  /** Closes the connection, also while another thread writes. */
  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing more can be done with it.
    }
  }
}
