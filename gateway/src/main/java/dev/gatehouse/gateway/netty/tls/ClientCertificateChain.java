package dev.gatehouse.gateway.netty.tls;

import io.netty.channel.Channel;
import io.netty.handler.ssl.SslHandler;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** The certificates that a client proved in its connection's handshake, its own first. Reads them once. */
public final class ClientCertificateChain implements Supplier<List<X509Certificate>> {

  private final Channel channel;
  private @Nullable List<X509Certificate> chain;

  public ClientCertificateChain(Channel channel) {
    this.channel = channel;
  }

  @Override
  public List<X509Certificate> get() {
    List<X509Certificate> known = chain;
    if (known == null) {
      known = read();
      chain = known;
    }
    return known;
  }

  private List<X509Certificate> read() {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    if (tls == null) {
      return List.of();
    }
    try {
      Certificate[] certificates = tls.engine().getSession().getPeerCertificates();
      return Arrays.stream(certificates)
          .filter(X509Certificate.class::isInstance)
          .map(X509Certificate.class::cast)
          .toList();
    } catch (SSLPeerUnverifiedException e) {
      return List.of();
    }
  }
}
