package dev.gatehouse.perf.load;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * TLS to the benchmark's own servers, whose certificates are not trusted by anyone. Each connection does a full
 * handshake.
 */
final class Tls {

  private Tls() {}

  static Socket over(Socket connected, URI server) throws IOException {
    SSLSocket socket =
        (SSLSocket) context().getSocketFactory().createSocket(connected, server.getHost(), server.getPort(), true);
    socket.startHandshake();
    return socket;
  }

  /** A new context each time, which has no sessions to resume. */
  private static SSLContext context() throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(null, new TrustManager[] {new TrustAll()}, new SecureRandom());
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static final class TrustAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
